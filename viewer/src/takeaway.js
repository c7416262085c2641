// Buttons for what one takes away: the whole screen, a picture, a clip.

import { makeClip } from "./clip.js";
import { download, Painter, pngOf } from "./picture.js";

const byId = (id) => document.getElementById(id);

/** A name for a file, of the scene's own and the operator. */
function fileName(runs, ending) {
  const [run] = runs;
  const words = [(run.scene || run.title || "carom").replace(/\.(toml|h5)$/, "")];
  if (runs.length === 1 && run.operator) words.push(run.operator);
  return `${words.join("-").replace(/[^\p{L}\p{N}._-]+/gu, "_")}.${ending}`;
}

export class Takeaway {
  constructor(page) {
    this.page = page;
    this.isMaking = false;
    const { runs } = page.data;
    const hasStage = page.stage !== null;
    byId("picture").hidden = !hasStage;
    byId("clip").hidden = !hasStage || !(page.clock.end > page.clock.begin);
    byId("whole-screen").hidden = !document.fullscreenEnabled;
    this.connect("picture", () => this.takePicture(runs));
    this.connect("clip", () => this.takeClip(runs));
    this.connect("whole-screen", () => this.toggleScreen());
    document.addEventListener("fullscreenchange", () => {
      const isWhole = document.fullscreenElement !== null;
      document.body.classList.toggle("whole-screen", isWhole);
      byId("whole-screen").setAttribute("aria-pressed", String(isWhole));
    });
  }

  connect(id, action) {
    byId(id).addEventListener("click", () => {
      byId(id).blur();
      Promise.resolve(action()).catch((error) => this.say(`${error.message}.`));
    });
  }

  say(words) {
    const place = byId("said");
    place.textContent = words;
    place.hidden = words === "";
  }

  async takePicture(runs) {
    this.say("");
    download(await pngOf(new Painter(this.page).paint()), fileName(runs, "png"));
  }

  /** A second click ends what the first began. */
  async takeClip(runs) {
    if (this.isMaking) {
      this.isMaking = false;
      return;
    }
    this.isMaking = true;
    const button = byId("clip");
    this.say("");
    try {
      const bytes = await makeClip(this.page, byId("title").textContent, {
        isOver: () => !this.isMaking,
        onProgress: (share) => { button.textContent = `Stop (${Math.floor(100 * share)} %)`; },
      });
      if (bytes) download(new Blob([bytes], { type: "video/webm" }), fileName(runs, "webm"));
    } finally {
      this.isMaking = false;
      button.textContent = "Clip";
    }
  }

  toggleScreen() {
    if (document.fullscreenElement) return document.exitFullscreen();
    return document.documentElement.requestFullscreen();
  }
}
