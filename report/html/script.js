
(function () {
  'use strict';
  var all = function (selector, root) { return Array.from((root || document).querySelectorAll(selector)); };

  // Filters: a finding or a row is shown when it has one of the verdicts, the area, the level and every word of the text.
  var filters = document.getElementById('filters');
  var items = all('[data-v]').map(function (element) {
    return {
      element: element, verdicts: element.dataset.v.split('|'), area: element.dataset.a, levels: element.dataset.l.split('|'),
      differs: element.dataset.d === 'yes', text: null
    };
  });
  var matches = function (item, want) {
    if (want.verdicts.length) {
      if (!want.verdicts.some(function (v) { return item.verdicts.includes(v); })) { return false; }
    }
    if (want.area) {
      if (item.area !== want.area) { return false; }
    }
    if (want.level) {
      if (!item.levels.includes(want.level)) { return false; }
    }
    if (want.differs) {
      if (!item.differs) { return false; }
    }
    if (want.words.length === 0) { return true; }
    if (item.text === null) { item.text = item.element.textContent.toLowerCase(); }
    return want.words.every(function (word) { return item.text.includes(word); });
  };
  var apply = function () {
    var field = function (name) { return filters.elements.namedItem(name); };
    var want = {
      verdicts: all('input[name=verdict]:checked', filters).map(function (box) { return box.value; }),
      area: field('area').value, level: field('level').value,
      differs: field('differs') ? field('differs').checked : false,
      words: field('text').value.toLowerCase().split(/\s+/).filter(Boolean)
    };
    items.forEach(function (item) { item.element.hidden = !matches(item, want); });
    all('.matrix tbody').forEach(function (body) { body.hidden = all('tr[data-v]:not([hidden])', body).length === 0; });
    var shown = [['.finding', 'findings'], ['.matrix tr[data-v]', 'requirements']].map(function (kind) {
      var total = all(kind[0]).length;
      var open = all(kind[0] + ':not([hidden])').length;
      return total ? open + ' of ' + total + ' ' + kind[1] : '';
    }).filter(Boolean);
    document.getElementById('shown').textContent = shown.join(', ') + ' shown';
  };
  if (filters) {
    filters.hidden = false;
    filters.addEventListener('input', apply);
    filters.addEventListener('change', apply);
    filters.addEventListener('reset', function () { setTimeout(apply, 0); });
    filters.addEventListener('submit', function (event) { event.preventDefault(); });
    apply(); // a page that is opened again may keep what was chosen
  }

  // A link shows what it leads to, whatever is folded or filtered away.
  var reveal = function () {
    var target = document.getElementById(location.hash.slice(1));
    if (!target) { return; }
    if (target.closest('[hidden]')) { filters.reset(); apply(); }
    for (var e = target; e; e = e.parentElement) {
      if (e.tagName === 'DETAILS') { e.open = true; }
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();

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
