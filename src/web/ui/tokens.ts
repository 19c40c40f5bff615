/** The design tokens, which every page gets as CSS variables. */
const light = {
  blue: '#1453d1',
  blueDeep: '#0f3f9f',
  blueWash: '#e9f0fd',
  amber: '#f0a21b',
  amberInk: '#8a5300',
  ink: '#16202e',
  inkSoft: '#4a5870',
  inkFaint: '#5c6981',
  line: '#dbe2ec',
  lineStrong: '#7f8ea6',
  surface: '#ffffff',
  ground: '#f4f6fa',
  sunk: '#eaeef5',
  good: '#0b6b3c',
  goodWash: '#e3f4ea',
  warn: '#8a5300',
  warnWash: '#fdf1dc',
  bad: '#b3261e',
  badWash: '#fbe9e7',
  onBad: '#ffffff',
  night: '#0b1f45',
  onNight: '#dbe6fb',
  onBlue: '#ffffff',
}

const dark: typeof light = {
  blue: '#7aa6ff',
  blueDeep: '#a9c5ff',
  blueWash: '#1a2a49',
  amber: '#f4b445',
  amberInk: '#f6c875',
  ink: '#e8edf5',
  inkSoft: '#b4c0d3',
  inkFaint: '#95a3ba',
  line: '#2c3749',
  lineStrong: '#6d7d97',
  surface: '#151c27',
  ground: '#0d131c',
  sunk: '#1d2634',
  good: '#6fd09a',
  goodWash: '#12301f',
  warn: '#f2c06a',
  warnWash: '#36270d',
  bad: '#ff9a91',
  badWash: '#3c1917',
  onBad: '#20100e',
  night: '#0a1730',
  onNight: '#dbe6fb',
  onBlue: '#0b1424',
}

export const tokens = {
  light,
  dark,
  font: '"PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", system-ui, -apple-system, "Segoe UI", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  radius: 6,
  /** Input height, dialog width and transition are the specification's constants. */
  control: 48,
  dialog: 446,
  transition: '0.25s',
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const variables = (palette: typeof light) =>
  Object.entries(palette)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(';')

/** Chinese fonts draw the curly quotes of English as wide as a Chinese character, so these quotes come from a Latin font. */
const quotes = `@font-face{font-family:"Latin quotes";src:local("Segoe UI"),local("Helvetica Neue"),local("Arial"),local("Roboto"),local("DejaVu Sans");unicode-range:U+2018-201D}:root:lang(en){--font:"Latin quotes",${tokens.font}}`

/** The variables as CSS, for the head of every page. */
export const tokensCss = `:root{color-scheme:light dark;${variables(light)};--font:${tokens.font};--mono:${tokens.mono};--radius:${tokens.radius}px;--control:${tokens.control}px;--dialog:${tokens.dialog}px;--transition:${tokens.transition}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables(dark)}}}@media screen{:root[data-theme=dark]{color-scheme:dark;${variables(dark)}}}:root[data-theme=light]{color-scheme:light}${quotes}`
