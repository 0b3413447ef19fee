// where a line lights up, the pane that holds its partners is scrolled to the first of them
document.querySelectorAll(".s2sad-panes .line[tabindex]").forEach((line) => {
  const show = () => {
    const own = line.closest(".s2sad-panes > section");
    const marks = [...line.classList].filter((mark) => /^l\d+$/.test(mark));
    for (const pane of own.parentElement.children) {
      if (pane === own) continue;
      const partners = marks.flatMap((mark) => [...pane.querySelectorAll("." + mark)]);
      if (!partners.length) continue;
      const inner = partners[0].getBoundingClientRect();
      const outer = pane.getBoundingClientRect();
      const hidden = inner.top < outer.top || inner.bottom > outer.bottom;
      if (hidden) pane.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  };
  line.addEventListener("mouseenter", show);
  line.addEventListener("focus", show);
});
