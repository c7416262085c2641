// The engine itself: the WebAssembly module that stands in the page, unpacked.

async function unpacked(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `caromModule` is defined by the script of the module. */
export async function loadEngine() {
  const source = document.getElementById("carom-wasm");
  const wasmBinary = await unpacked(source.textContent.trim());
  source.remove();
  return window.caromModule({ wasmBinary });
}
