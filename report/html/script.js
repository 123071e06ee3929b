
(function () {
  'use strict';
  var all = function (selector, root) { return Array.from((root || document).querySelectorAll(selector)); };
  var byID = function (id) { return id ? document.getElementById(id) : null; };
  var AND = '\x26'; // written so, the page stays well-formed XML

  // Findings and rows with what the filters ask of them. The keys are those of html_cells.go: verdict, level, columns.
  var filters = byID('filters');
  var texts = Object.create(null); // by id of the requirement, which may be any word
  var items = all('[data-k]').map(function (element) {
    var row = element.tagName === 'TR';
    var item = {
      element: element, row: row, id: element.querySelector('code').textContent, differs: element.dataset.d === 'yes',
      area: (row ? element.parentElement : element).dataset.a, details: row ? element.querySelector('details') : null, opened: false,
      keys: element.dataset.k.split(';').map(function (key) {
        var parts = key.split(' ');
        return { verdict: parts[0], level: parts[1], columns: (parts[2] || '').split('.') };
      })
    };
    return item;
  });
  var entries = all('.list li').map(function (entry) {
    var id = entry.querySelector('a').getAttribute('href').slice(1);
    var target = byID(id);
    return { element: entry, item: items.find(function (item) { return item.element === target; }) };
  });
  // The search looks at titles, ids and reasons, those of all findings and rows of a requirement; not at wire logs.
  var prepare = function () {
    items.forEach(function (item) {
      var parts = item.row ? [item.element.querySelector('th')] : all('h3, .where code, .reason', item.element);
      item.head = item.row ? item.element.querySelector('summary').textContent.toLowerCase() : '';
      texts[item.id] = (texts[item.id] || '') + parts.map(function (e) { return ' ' + e.textContent.toLowerCase(); }).join('');
    });
  };
  var has = function (text, words) { return words.every(function (word) { return text.includes(word); }); };
  var matches = function (item, want) {
    if (want.area) {
      if (item.area !== want.area) { return false; }
    }
    if (want.differs) {
      if (!item.differs) { return false; }
    }
    var cell = item.keys.some(function (key) {
      if (want.verdicts.length) {
        if (!want.verdicts.includes(key.verdict)) { return false; }
      }
      if (want.level) {
        if (key.level !== want.level) { return false; }
      }
      return want.column ? key.columns.includes(want.column) : true;
    });
    return cell ? has(texts[item.id], want.words) : false;
  };
  var field = function (name) { return filters.elements.namedItem(name); };
  var place = function (name) { return field(name).selectedIndex > 0 ? String(field(name).selectedIndex - 1) : ''; };
  var checked = function (name) { return field(name) ? field(name).checked : false; };
  var chosen = function () {
    var params = new URLSearchParams();
    new FormData(filters).forEach(function (value, name) {
      if (value) { params.append(name, value); }
    });
    return params;
  };
  var apply = function () {
    if (!Object.keys(texts).length) { prepare(); }
    var want = {
      verdicts: all('input[name=verdict]:checked', filters).map(function (box) { return box.value; }),
      area: field('area').value, level: place('level'), column: place('in'), differs: checked('differs'),
      words: field('text').value.toLowerCase().split(/\s+/).filter(Boolean)
    };
    var reasons = checked('reasons');
    items.forEach(function (item) {
      item.element.hidden = !matches(item, want);
      if (!item.details) { return; }
      // A row that was found by its reason shows it.
      var open = reasons ? true : want.words.length ? !has(item.head, want.words) : false;
      if (open !== item.opened) { item.details.open = open; }
      item.opened = open;
    });
    entries.forEach(function (entry) { if (entry.item) { entry.element.hidden = entry.item.element.hidden; } });
    all('.matrix tbody').forEach(function (body) { body.hidden = all('tr[data-k]:not([hidden])', body).length === 0; });
    var filtered = Array.from(chosen().keys()).some(function (name) { return name !== 'reasons'; });
    var shown = [['.finding', 'findings'], ['.matrix tr[data-k]', 'requirements']].map(function (kind) {
      var total = all(kind[0]);
      if (!total.length) { return ''; }
      var count = total.filter(function (e) { return !e.hidden; }).length + ' of ' + total.length + ' ' + kind[1];
      var notes = all('.filtered', total[0].closest('section'));
      notes.forEach(function (note) {
        note.hidden = !filtered;
        note.firstElementChild.textContent = count + ' shown.';
      });
      return count;
    }).filter(Boolean);
    byID('shown').textContent = shown.join(', ') + ' shown';
  };

  // The address holds what is shown, so that it can be shared: #ID opens a requirement, #verdict=fail... filters, and both go together.
  var anchor = '';
  var write = function () {
    var hash = [anchor, chosen().toString()].filter(Boolean).join(AND);
    if ('#' + hash === (location.hash || '#')) { return; }
    try { history.replaceState(null, '', location.pathname + location.search + (hash ? '#' + hash : '')); } catch (e) { return; } // in a sandbox
  };
  var choose = function (params) {
    filters.reset();
    all('input[type=checkbox]', filters).forEach(function (box) { box.checked = params.getAll(box.name).includes(box.value); });
    ['area', 'level', 'in'].forEach(function (name) {
      var option = Array.from(field(name).options).find(function (o) { return o.value === params.get(name); });
      if (option) { option.selected = true; }
    });
    field('text').value = params.get('text') || '';
    apply();
  };
  var here = null;
  var reveal = function (target, jump) {
    if (target.closest('[hidden]')) { choose(new URLSearchParams()); }
    for (var e = target; e; e = e.parentElement) {
      if (e.tagName === 'DETAILS') { e.open = true; }
    }
    if (target.matches('tr[data-k]')) { target.querySelector('details').open = true; }
    if (here) { here.classList.remove('here'); }
    here = target.matches('tr[data-k], .finding') ? target : null;
    if (here) { here.classList.add('here'); }
    target.scrollIntoView();
    if (jump) { // the browser does that itself where the address is the id alone
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
    }
  };
  var read = function () {
    var parts = location.hash.slice(1).split(AND);
    var target = byID(parts[0]);
    anchor = target ? parts.shift() : '';
    var asked = parts.some(function (part) { return part.includes('='); });
    if (filters) {
      if (asked) { choose(new URLSearchParams(parts.join(AND))); } else if (!target) { choose(new URLSearchParams()); }
    }
    if (target) { reveal(target, asked); }
    if (filters) { write(); }
  };
  if (filters) {
    filters.hidden = false;
    all('.scripted').forEach(function (e) { e.hidden = false; });
    var later = 0;
    var change = function () {
      apply();
      clearTimeout(later);
      later = setTimeout(write, 150); // browsers limit how often an address may change
    };
    filters.addEventListener('input', change);
    filters.addEventListener('reset', function (event) { if (event.isTrusted) { setTimeout(change, 0); } });
    filters.addEventListener('submit', function (event) { event.preventDefault(); });
    choose(new URLSearchParams()); // whatever the browser kept: the address decides
    all('.picture a[data-v]').forEach(function (link) {
      var cell = link.parentElement;
      var params = new URLSearchParams({ area: cell.parentElement.querySelector('th').textContent, in: link.dataset.c, verdict: link.dataset.v });
      var found = ['fail', 'error', 'warn', 'note'].includes(link.dataset.v) ? byID('detail') : null;
      link.setAttribute('href', '#' + (found ? 'detail' : 'matrix') + AND + params.toString());
    });
    // A cell opens the reasons of its row; by keyboard the row's own heading does.
    all('.matrix').forEach(function (table) {
      table.addEventListener('click', function (event) {
        var cell = event.target.closest('td');
        if (!cell || event.target.closest('a') || !getSelection().isCollapsed) { return; }
        var details = cell.parentElement.querySelector('details');
        if (details) { details.open = !details.open; }
      });
    });
  }
  addEventListener('hashchange', read);
  read();

  // Copy buttons. Pages from plain http have no clipboard; there the text is selected and copied the old way.
  all('.copy').forEach(function (block) {
    var button = block.querySelector('button');
    var pre = block.querySelector('pre');
    var say = function (word) {
      button.textContent = word;
      setTimeout(function () { button.textContent = 'Copy'; }, 2000);
    };
    var select = function () {
      getSelection().selectAllChildren(pre);
      say(document.execCommand('copy') ? 'Copied' : 'Selected');
    };
    button.hidden = false;
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', function () {
      if (!navigator.clipboard) { select(); return; }
      navigator.clipboard.writeText(pre.textContent).then(function () { say('Copied'); }, select);
    });
  });

  // On paper everything is open.
  var closed = [];
  addEventListener('beforeprint', function () {
    closed = all('details:not([open])');
    closed.forEach(function (d) { d.open = true; });
  });
  addEventListener('afterprint', function () { closed.forEach(function (d) { d.open = false; }); });
})();
