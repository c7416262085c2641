// The scene as text, with line numbers and the fault at its line.

const byId = (id) => document.getElementById(id);

export class Editor {
  /** `onApply(text)` returns a fault {message, line, column, key} or null. */
  constructor({ onApply, onPresent }) {
    this.area = byId("text");
    this.gutter = byId("gutter");
    this.onApply = onApply;
    this.area.addEventListener("input", () => this.number(0));
    this.area.addEventListener("scroll", () => { this.gutter.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.ctrlKey) this.apply();
      event.stopPropagation(); // keys of the page are letters here
    });
    byId("apply").addEventListener("click", () => this.apply());
    byId("present").addEventListener("click", () => onPresent());
    const source = byId("source");
    source.addEventListener("toggle", () => { if (source.open) source.scrollIntoView({ block: "nearest" }); });
  }

  get text() { return this.area.value; }

  show(text) {
    this.area.value = text;
    this.area.scrollTop = 0;
    this.mark(null);
  }

  number(faulty) {
    const lines = this.text.split("\n").length;
    this.gutter.replaceChildren(...Array.from({ length: lines }, (_, k) => {
      const line = document.createElement(k + 1 === faulty ? "b" : "span");
      line.textContent = k + 1 === faulty ? `${k + 1}` : `${k + 1}\n`;
      return line;
    }));
    this.gutter.scrollTop = this.area.scrollTop;
  }

  apply() {
    this.mark(this.onApply(this.text));
  }

  mark(fault) {
    const line = fault?.line ?? 0;
    this.number(line);
    this.area.setAttribute("aria-invalid", fault ? "true" : "false");
    const place = line > 0 ? `Line ${line}: ` : "";
    const key = fault?.key ? `${fault.key}: ` : "";
    byId("fault").textContent = fault ? `${place}${key}${fault.message}` : "";
    if (line === 0) return;
    const begin = this.text.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const end = this.text.indexOf("\n", begin);
    this.area.focus();
    this.area.setSelectionRange(begin, end < 0 ? this.text.length : end);
    const height = this.area.scrollHeight / this.text.split("\n").length;
    this.area.scrollTop = Math.max(0, (line - 4) * height);
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
