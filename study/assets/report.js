"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIGN = { good: "!", inaccuracy: "?!", mistake: "?", blunder: "??" };
  const COLOUR = { good: "var(--good)", inaccuracy: "var(--inaccuracy)", mistake: "var(--mistake)", blunder: "var(--blunder)" };
  // Figures on a square of 45 by 45: outlines, then lines inside.
  const FIGURES = {
    p: ["M22.5 8a6 6 0 0 1 4.4 10.1c4.6 2.2 2.2 8 6.6 12.9q3 3.500 3 7.500h-28q0-4 3-7.500c4.400-4.900 2-10.700 6.600-12.900A6 6 0 0 1 22.500 8z"],
    r: ["M11 8h6v4h3.500V8h4v4H28V8h6v10l-4 4v9l4 4v4H11v-4l4-4v-9l-4-4z", "M15 22h15M15 31h15"],
    b: ["M22.500 5a3 3 0 0 1 2 5.200C31 15 34 22 29 28l1.500 5c4 .500 7 1.500 7 5.500h-30c0-4 3-5 7-5.500l1.500-5c-5-6-2-13 4.500-17.800A3 3 0 0 1 22.500 5z",
      "M16 28.500h13M22.500 16v8M18.500 20h8"],
    n: ["M14 38.500c0-8 8-10 7.500-16.500-3 3-6 4-8.500 7-2 1.500-5.500-.500-5-3.500C9 21 12 18 13.500 13l.500-6 5 4C31 10.500 36 22 35 38.500z", "M16.500 17.500h.500"],
    q: ["M8 12l6.500 11L16 9l5 13L22.500 7 24 22l5-13 1.500 14L37 12l-4.500 19 2 3v4.500h-24V34l2-3z", "M12.500 31q10-3 20 0M11 34.500q11.500-2.500 23 0"],
    k: ["M21 4h3v3h3v3h-3v3.500c4 1 3.500 5 2 7.500 4-4 11-3 11 3.500 0 4-4.500 5.500-5 9v5h-19v-5c-.500-3.500-5-5-5-9 0-6.500 7-7.500 11-3.500-1.500-2.500-2-6.500 2-7.500V10h-3V7h3z",
      "M13.500 33q9-3 18 0M22.500 21v8"],
  };
  const el = (name, attributes, ...children) => {
    const node = document.createElementNS(SVG, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  };
  const html = (name, className, text) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const byId = (id) => document.getElementById(id);

  // The men of a position: row from the top, column from the left, white or black, kind.
  function chessMen(fen) {
    const men = [];
    fen.split(" ")[0].split("/").forEach((text, row) => {
      let column = 0;
      for (const letter of text) {
        if (/\d/.test(letter)) column += Number(letter);
        else men.push({ row, column: column++, white: letter < "a", kind: letter.toLowerCase() });
      }
    });
    return men;
  }
  function draughtsPlace(number) {
    const row = Math.floor((number - 1) / 5);
    return { row, column: 2 * ((number - 1) % 5) + (row % 2 ? 0 : 1) };
  }
  function draughtsMen(fen) {
    const men = [];
    for (const part of fen.replace(/[".\s]/g, "").split(":").slice(1)) {
      for (const item of part.slice(1).split(",").filter(Boolean)) {
        const king = /^K/i.test(item);
        const [from, to] = item.replace(/K/gi, "").split("-").map(Number);
        for (let number = from; number <= (to || from); number++)
          men.push({ ...draughtsPlace(number), white: part[0] === "W", kind: king ? "king" : "man" });
      }
    }
    return men;
  }
  const places = {
    chess: (name) => ({ row: 8 - Number(name[1]), column: name.charCodeAt(0) - 97 }),
    draughts: (name) => draughtsPlace(Number(name)),
  };

  function figure(man, x, y) {
    const group = el("g", { transform: `translate(${x} ${y})` });
    const [fill, line] = man.white ? ["#fdfcf8", "#1d1b19"] : ["#33302c", "#f3efe6"];
    if (man.kind === "man" || man.kind === "king") {
      const edge = man.white ? "#5c554a" : "#0d0c0b";
      group.append(el("circle", { cx: 22.5, cy: 22.5, r: 17, fill, stroke: edge, "stroke-width": 2 }));
      group.append(el("circle", { cx: 22.5, cy: 22.5, r: 11.5, fill: "none", stroke: man.white ? "#bdb4a2" : "#6b655d", "stroke-width": 1.5 }));
      if (man.kind === "king")
        group.append(el("path", { d: "M14 29l-1-12 5.500 6 4-8 4 8 5.500-6-1 12z", fill: man.white ? "#c8a021" : "#e6c34a" }));
      return group;
    }
    const [outline, inner] = FIGURES[man.kind] || FIGURES.p;
    group.append(el("path", { d: outline, fill, stroke: man.white ? "#1d1b19" : "#0d0c0b", "stroke-width": 1.6, "stroke-linejoin": "round" }));
    if (inner) group.append(el("path", { d: inner, fill: "none", stroke: line, "stroke-width": 1.6, "stroke-linecap": "round" }));
    return group;
  }

  function drawBoard(kind, fen, move, flipped, labels) {
    const size = kind === "draughts" ? 10 : 8;
    const svg = el("svg", { viewBox: `0 0 ${45 * size} ${45 * size}`, role: "img", "aria-label": fen });
    const at = (place) => flipped
      ? [45 * (size - 1 - place.column), 45 * (size - 1 - place.row)]
      : [45 * place.column, 45 * place.row];
    const last = move ? [places[kind](move.from), places[kind](move.to)] : [];
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const [x, y] = at({ row, column });
        const dark = (row + column) % 2 === 1;
        const marked = last.some((place) => place.row === row && place.column === column);
        svg.append(el("rect", { x, y, width: 45, height: 45, fill: dark ? "var(--dark)" : "var(--light)" }));
        if (marked) svg.append(el("rect", { x, y, width: 45, height: 45, fill: "var(--last)", opacity: 0.65 }));
        let label = "";
        if (kind === "draughts" && dark) label = 5 * row + Math.floor(column / 2) + 1;
        if (kind === "chess" && y === 45 * 7) label = "abcdefgh"[column];
        if (kind === "chess" && x === 0 && y !== 45 * 7) label = 8 - row;
        if (labels && label !== "") {
          const text = el("text", { x: x + 2.5, y: y + 11, "font-size": 9.5, fill: dark ? "#f6ead4" : "#7b5635" });
          text.textContent = label;
          svg.append(text);
        }
      }
    }
    const men = kind === "draughts" ? draughtsMen(fen) : chessMen(fen);
    for (const man of men) svg.append(figure(man, ...at(man)));
    return svg;
  }

  const sources = [...document.querySelectorAll("script.game")];
  let game = null, here = 0, branch = null, flipped = false, plyNodes = [], cursor = null, width = 100;

  const positionAt = (index) => (index === 0 ? game.start : game.plies[index - 1].fen);
  const winAt = (index) => (index === 0 ? game.start_win : game.plies[index - 1].win);
  const numbered = (ply) => `${ply.number}${ply.side === "white" ? "." : "..."} ${ply.text}${SIGN[ply.mark] || ""}`;

  function show(index) {
    here = Math.max(0, Math.min(index, game.plies.length));
    branch = null;
    render();
  }

  function render() {
    const ply = here > 0 ? game.plies[here - 1] : null;
    const fen = branch === null ? positionAt(here) : ply.best.fens[branch];
    const move = branch === null && ply ? ply : null;
    byId("board").replaceChildren(drawBoard(game.kind, fen, move, flipped, true));
    byId("bar").className = flipped ? "flipped" : "";
    byId("barfill").style.height = `${winAt(here)}%`;
    const info = byId("info");
    info.replaceChildren();
    if (ply) {
      const strong = html("span", ply.mark || "");
      strong.append(html("b", "", numbered(ply)));
      info.append(strong, ` ${ply.score}, White ${ply.win.toFixed(0)} %`);
      if (ply.loss >= 1) info.append(`, costs ${ply.loss.toFixed(0)} points`);
    } else {
      info.append(`Start, White ${game.start_win.toFixed(0)} %`);
    }
    const line = byId("line");
    line.replaceChildren();
    if (ply && ply.best) {
      line.append(`Better (${ply.best.score}): `);
      ply.best.moves.forEach((text, step) => {
        const link = html("a", branch === step ? "here" : "", text);
        link.addEventListener("click", () => { branch = step; render(); });
        line.append(link, " ");
      });
    }
    plyNodes.forEach((node, at) => node.classList.toggle("here", at === here - 1));
    const node = plyNodes[here - 1];
    const list = byId("moves");
    if (node) {
      if (node.offsetTop < list.scrollTop) list.scrollTop = node.offsetTop - 8;
      const below = node.offsetTop + node.offsetHeight - list.clientHeight;
      if (below > list.scrollTop) list.scrollTop = below + 8;
    } else {
      list.scrollTop = 0;
    }
    if (cursor) { cursor.setAttribute("x1", here * width); cursor.setAttribute("x2", here * width); }
  }

  function drawGraph() {
    const steps = Math.max(1, game.plies.length), total = 600, height = 150;
    width = total / steps;
    const points = game.plies.map((ply, at) => `${((at + 1) * width).toFixed(2)},${(height * (1 - ply.win / 100)).toFixed(2)}`);
    const start = `0,${(height * (1 - game.start_win / 100)).toFixed(2)}`;
    const svg = el("svg", { viewBox: `0 0 ${total} ${height}`, role: "img", "aria-label": "expected result of White move by move" });
    svg.append(el("rect", { x: 0, y: 0, width: total, height, fill: "#4a4641" }));
    svg.append(el("polygon", { points: `0,${height} ${start} ${points.join(" ")} ${steps * width},${height}`, fill: "#f1ede4" }));
    svg.append(el("line", { x1: 0, x2: total, y1: height / 2, y2: height / 2, stroke: "#8c8578", "stroke-dasharray": "4 4" }));
    svg.append(el("polyline", { points: `${start} ${points.join(" ")}`, fill: "none", stroke: "#b5702c", "stroke-width": 1.6 }));
    game.plies.forEach((ply, at) => {
      if (!ply.mark) return;
      svg.append(el("circle", { cx: (at + 1) * width, cy: height * (1 - ply.win / 100), r: 4, fill: COLOUR[ply.mark], stroke: "#fff", "stroke-width": 0.8 }));
    });
    cursor = el("line", { x1: 0, x2: 0, y1: 0, y2: height, stroke: "var(--accent)", "stroke-width": 2 });
    svg.append(cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * steps));
    });
    byId("graph").replaceChildren(svg);
  }

  function drawMoves() {
    const list = byId("moves");
    list.replaceChildren();
    plyNodes = game.plies.map((ply, at) => {
      if (ply.side === "white" || at === 0) list.append(html("span", "no", `${ply.number}.`));
      if (ply.side === "black" && at === 0) list.append(html("span", "ply", "…"));
      const node = html("span", `ply ${ply.mark || ""}`);
      node.append(html("b", "", ply.text + (SIGN[ply.mark] || "")), html("small", "", ply.score));
      node.addEventListener("click", () => show(at + 1));
      list.append(node);
      return node;
    });
  }

  function drawTurns() {
    byId("turns").hidden = game.turning_points.length === 0;
    byId("turnboards").replaceChildren(...game.turning_points.map((at) => {
      const ply = game.plies[at], card = html("div", "turn");
      card.append(drawBoard(game.kind, ply.fen, ply, flipped, false));
      const text = html("p", ply.mark || "");
      text.append(html("b", "", numbered(ply)), ` White ${winAt(at).toFixed(0)} % → ${ply.win.toFixed(0)} %`);
      if (ply.best) text.append(html("br"), `better ${ply.best.moves[0]}`);
      card.append(text);
      card.addEventListener("click", () => { show(at + 1); byId("table").scrollIntoView({ behavior: "smooth" }); });
      return card;
    }));
  }

  function drawSummary() {
    const unit = game.kind === "draughts" ? "men" : "pawns";
    const rows = [["moves", "moves"], ["accuracy", "accuracy %"], ["average_loss", "mean loss, points"],
      ["average_score_loss", `mean loss, 1/100 ${unit}`], ["good", "!"], ["inaccuracies", "?!"], ["mistakes", "?"], ["blunders", "??"]];
    const table = byId("summary");
    const row = (cell, texts) => {
      const line = document.createElement("tr");
      line.append(...texts.map((text) => html(cell, "", text)));
      return line;
    };
    const name = (tag, other) => (game.tags.find(([key]) => key.toLowerCase() === tag) || [])[1] || other;
    table.replaceChildren(row("th", ["", name("white", "White"), name("black", "Black")]),
      ...rows.map(([key, text]) => row("td", [text, ...game.summary.map((side) => side[key])])));
  }

  function open(index) {
    if (!sources[index]) return;
    game = JSON.parse(sources[index].textContent);
    byId("games").value = index;
    byId("title").textContent = sources[index].dataset.title;
    const tag = (name) => (game.tags.find(([key]) => key.toLowerCase() === name) || [])[1];
    const about = [tag("event"), tag("site"), tag("date"), tag("round") && `round ${tag("round")}`,
      game.opening && game.opening.join(" ")];
    byId("subtitle").textContent = about.filter((text) => text && !/^(round )?\?/.test(text)).join(" · ");
    drawGraph();
    drawMoves();
    drawTurns();
    drawSummary();
    show(0);
  }

  const actions = {
    first: () => show(0),
    back: () => { if (branch === null) show(here - 1); else { branch = branch > 0 ? branch - 1 : null; render(); } },
    forth: () => {
      const line = branch === null ? null : game.plies[here - 1].best.moves;
      if (line) { branch = Math.min(branch + 1, line.length - 1); render(); } else show(here + 1);
    },
    last: () => show(game.plies.length),
    mark: () => {
      const next = game.plies.findIndex((ply, at) => at >= here && ply.mark && ply.mark !== "good");
      if (next >= 0) show(next + 1);
    },
    flip: () => { flipped = !flipped; drawTurns(); render(); },
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last", n: "mark", f: "flip" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || !game) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) { event.preventDefault(); actions[action](); }
  });
  document.querySelectorAll("button[data-go]").forEach((button) =>
    button.addEventListener("click", () => game && actions[button.dataset.go]()));
  const chooser = byId("games");
  sources.forEach((source, at) => {
    const option = html("option", "", `${at + 1}. ${source.dataset.title}`);
    option.value = at;
    chooser.append(option);
  });
  byId("chooser").hidden = sources.length < 2;
  chooser.addEventListener("change", () => open(Number(chooser.value)));
  if (sources.length) open(0);
  else byId("title").textContent = "No games";
})();
