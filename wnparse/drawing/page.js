"use strict";
// A word that is pointed at, focused or clicked shows its yield: the words it dominates, and the gaps between them.
(() => {
  let pinned = null;

  const numbers = (text) => (text ? text.split(" ").map(Number) : null);

  // Heads may be missing, and then even run in circles: each word is climbed through once.
  const dominates = (heads, top, word) => {
    const seen = new Set();
    while (word > 0 && !seen.has(word)) {
      if (word === top) return true;
      seen.add(word);
      word = heads[word];
    }
    return false;
  };

  const clear = () => {
    for (const figure of document.querySelectorAll("figure.active")) {
      figure.classList.remove("active");
      figure.querySelector(".info").textContent = "";
      for (const part of figure.querySelectorAll(".word, .edge, .label"))
        part.classList.remove("inside-first", "inside-second", "gap-first", "gap-second", "chosen", "lit");
    }
  };

  const mark = (figure, heads, top, name) => {
    const inside = heads.map((_, word) => word > 0 && dominates(heads, top, word));
    const first = inside.indexOf(true);
    const last = inside.lastIndexOf(true);
    // A word without head may belong to any yield: an incomplete tree has no gaps.
    const complete = heads.every((head, word) => word === 0 || head >= 0);
    for (const word of figure.querySelectorAll(".word")) {
      const number = Number(word.dataset.word);
      if (inside[number]) word.classList.add("inside-" + name);
      else if (complete && first < number && number < last) word.classList.add("gap-" + name);
    }
    for (const part of figure.querySelectorAll("." + name + "[data-modifier]"))
      if (inside[Number(part.dataset.modifier)]) part.classList.add("lit");
  };

  const show = (word) => {
    clear();
    if (!word) return;
    const figure = word.closest("figure");
    const top = Number(word.dataset.word);
    figure.classList.add("active");
    word.classList.add("chosen");
    mark(figure, numbers(figure.dataset.first), top, "first");
    const second = numbers(figure.dataset.second);
    if (second) mark(figure, second, top, "second");
    figure.querySelector(".info").textContent = word.querySelector("title").textContent;
  };

  const wordOf = (event) => event.target.closest && event.target.closest(".word");
  const pin = (word) => {
    pinned = word === pinned ? null : word;
    show(pinned || word);
  };

  document.addEventListener("mouseover", (event) => {
    if (!pinned) show(wordOf(event));
  });
  document.addEventListener("focusin", (event) => {
    if (!pinned) show(wordOf(event));
  });
  document.addEventListener("click", (event) => {
    const word = wordOf(event);
    if (word) pin(word);
    else {
      pinned = null;
      clear();
    }
  });
  document.addEventListener("keydown", (event) => {
    const word = wordOf(event);
    if (word && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pin(word);
    } else if (event.key === "Escape") {
      pinned = null;
      clear();
    }
  });
})();
