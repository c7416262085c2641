// A scene in a link: compressed in what follows the #, which no server sees.

const toBase64 = (bytes) => {
  let text = "";
  for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

function fromBase64(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** What is shared: {text, operators}. */
export async function toFragment({ text, operators }) {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `#scene=${toBase64(packed)}&operators=${operators.map(encodeURIComponent).join(",")}`;
}

/** null where the fragment is about something else; throws where it is damaged. */
export async function fromFragment(fragment) {
  const parts = new Map(fragment.replace(/^#/, "").split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  }));
  if (parts.has("preset")) return { preset: decodeURIComponent(parts.get("preset")) };
  if (!parts.has("scene")) return null;
  const packed = await through(fromBase64(parts.get("scene")), new DecompressionStream("deflate-raw"));
  const operators = (parts.get("operators") ?? "").split(",").filter(Boolean).map(decodeURIComponent);
  return { text: new TextDecoder().decode(packed), operators };
}

/** Hands the text to the browser as a file. */
export function saveFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
