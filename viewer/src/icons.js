// The signs on the buttons.

const icon = (path) => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

export const icons = {
  play: icon("M4 2.2v11.6c0 .6.7 1 1.2.7l9-5.8a.8.8 0 0 0 0-1.4l-9-5.8A.8.8 0 0 0 4 2.2z"),
  pause: icon("M4 2h2.8v12H4zM9.2 2H12v12H9.2z"),
  start: icon("M2 2h2v12H2zM14 2.6v10.8L5.5 8z"),
  back: icon("M11.5 2.6v10.8L3.5 8zM12.5 2.6h1.5v10.8h-1.5z"),
  forward: icon("M4.5 2.6v10.8l8-5.4zM2 2.6h1.5v10.8H2z"),
  loop: icon("M11 1l3.5 3L11 7V5H5a2.5 2.5 0 0 0-2.5 2.5V8H1v-.5A4 4 0 0 1 5 3.5h6zM5 15l-3.5-3L5 9v2h6a2.5 2.5 0 0 0 2.5-2.5V8H15v.5a4 4 0 0 1-4 4H5z"),
};
