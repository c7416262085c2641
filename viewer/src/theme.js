// The colours of style.css, for what is not drawn by the browser.

import { Color } from "three";

const query = window.matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => query.matches;
/** Returns what ends it. */
export const onThemeChange = (listener) => {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

export const cssColour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export const themeColour = (name) => new Color(cssColour(name));
