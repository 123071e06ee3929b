#!/usr/bin/env node
"use strict";
// Starts the program that the package for this system carries, and ends as it does.
const { spawn } = require("node:child_process");

const carrier = `mcpcheck-http-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${carrier}/bin/mcpcheck${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`error: ${carrier}, which carries the program for this system, is not installed`);
  console.error("hint: install mcpcheck-http without --omit=optional; releases for other systems: https://github.com/mcpcheck/mcpcheck/releases");
  process.exit(4);
}
// A terminal sends its signals to the program as well, and a second Ctrl-C means more than the first.
const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
const pass = { SIGTERM: true, SIGINT: !terminal, SIGHUP: !terminal };
let child;
// Before there is a program: a signal must never end this process alone.
for (const signal of Object.keys(pass)) {
  process.on(signal, () => pass[signal] && child.kill(signal));
}
child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: ${program} cannot be started: ${error.message}`);
  process.exit(4);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exitCode = code;
});
