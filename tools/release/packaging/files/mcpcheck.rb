class Mcpcheck < Formula
  desc "{{summary}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url darwin/arm64}}"
      sha256 "{{sha256 darwin/arm64}}"
    end
    on_intel do
      url "{{url darwin/amd64}}"
      sha256 "{{sha256 darwin/amd64}}"
    end
  end
  on_linux do
    on_arm do
      url "{{url linux/arm64}}"
      sha256 "{{sha256 linux/arm64}}"
    end
    on_intel do
      url "{{url linux/amd64}}"
      sha256 "{{sha256 linux/amd64}}"
    end
  end

  def install
    bin.install "mcpcheck"
    man1.install "man/mcpcheck.1"
    bash_completion.install "completions/mcpcheck.bash" => "mcpcheck"
    zsh_completion.install "completions/mcpcheck.zsh" => "_mcpcheck"
    fish_completion.install "completions/mcpcheck.fish"
  end

  test do
    assert_match "mcpcheck v#{version}", shell_output("#{bin}/mcpcheck version")
  end
end
