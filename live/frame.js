"use strict";
{
  const status = document.getElementById("status");
  const page = document.getElementById("page");
  const states = new EventSource("state");
  let shown = 0;
  document.title = document.getElementById("title").textContent = {{title}};
  states.onmessage = (event) => {
    const state = JSON.parse(event.data);
    if (status.textContent !== state.status) {
      status.textContent = state.status;
    }
    if (state.version === shown) {
      return;
    }
    if (shown === 0) {
      // What the address of this page points at is meant for the report.
      page.src = "page" + location.hash;
      page.hidden = false;
    } else {
      // Filters and the place on the page are in the report's own address, and stay.
      page.contentWindow.location.reload();
    }
    shown = state.version;
  };
  states.onerror = () => {
    states.close();
    status.textContent = "mcpcheck watch has ended; this is its last report";
  };
}
