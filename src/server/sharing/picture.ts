import { letterable, lettered } from './lettering.ts'

/** The size that chats and networks show whole. */
export const pictureSize = { width: 1200, height: 630 }
const { width, height } = pictureSize

/** Colours of the light theme; the picture stands in other people's pages. */
const colours = {
  blue: '#1453d1',
  night: '#0b1f45',
  amber: '#f0a21b',
  ink: '#16202e',
  soft: '#4a5870',
  line: '#dbe2ec',
  surface: '#ffffff',
}

/** A machine by its category, with its main parameter and its monthly rent as far as they are public. */
export type Shown = { category: number; group: number; note: string }
export type Sheet = { machines: readonly Shown[]; headline: string; lines: readonly string[] }

/** The symbols of the drawings of the site, by their ids. */
export function symbolsOf(svg: string): ReadonlyMap<string, string> {
  return new Map([...svg.matchAll(/<symbol id="([^"]+)"[^>]*>([\s\S]*?)<\/symbol>/g)].map(([, id = '', body = '']) => [id, body]))
}

/** Draws the sheet: graph paper, the machines between dimension lines, and the figures as engineers letter them. */
export function drawSheet(symbols: ReadonlyMap<string, string>, { machines, headline, lines }: Sheet): string {
  const shown = machines.slice(0, 3)
  const each = 700 / Math.max(shown.length, 1)
  const scale = Math.min(each / 120, 5)
  const drawings = shown.map(({ category, group, note }, index) => {
    const x = 40 + each * index + (each - 120 * scale) / 2
    const bottom = 330 + 40 * scale
    return `<g transform="translate(${x.toFixed(1)} ${(bottom - 80 * scale).toFixed(1)}) scale(${scale.toFixed(3)})" fill="none" stroke="${colours.ink}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round">${symbolFor(symbols, category, group)}</g>
<path d="M${x.toFixed(1)} ${bottom + 16}v24M${(x + 120 * scale).toFixed(1)} ${bottom + 16}v24M${x.toFixed(1)} ${bottom + 28}H${(x + 120 * scale).toFixed(1)}" stroke="${colours.blue}" stroke-width="2" fill="none"/>
${lettered(letterable(note), { x: x + 60 * scale, y: bottom + 72, size: 30, colour: colours.blue, anchor: 'middle' })}`
  })
  const text = letterable(headline)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><pattern id="paper" width="30" height="30" patternUnits="userSpaceOnUse"><path d="M30 0H0V30" fill="none" stroke="${colours.line}" stroke-width="1"/></pattern></defs>
<rect width="${width}" height="${height}" fill="${colours.surface}"/><rect width="${width}" height="${height}" fill="url(#paper)"/>
${drawings.join('\n')}
<rect x="780" width="420" height="${height}" fill="${colours.night}"/><rect x="780" width="8" height="${height}" fill="${colours.amber}"/>
<g transform="translate(830 56) scale(2.4)"><rect width="40" height="40" rx="8" fill="${colours.blue}"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M7 31h26M12 31V12M16 31V12M12 12l2-5 2 5"/><path d="M7 12h26v3H7z" stroke="${colours.amber}"/><path d="M28 15v6M25 21h6v4h-6z"/></g></g>
${lettered(text, { x: 830, y: 330, size: Math.min(96, 4400 / Math.max([...text].length * 11, 1)), colour: '#ffffff' })}
${lines.map((line, index) => lettered(letterable(line), { x: 830, y: 410 + index * 62, size: 34, colour: index === 0 ? colours.amber : '#dbe6fb' })).join('\n')}
</svg>`
}

/** The drawing of a category, of the first of its class, or of any machine; with colours, because nothing around it sets them. */
function symbolFor(symbols: ReadonlyMap<string, string>, category: number, group: number): string {
  const found = symbols.get(`c${category}`) ?? symbols.get(`c${group + 1}`) ?? [...symbols.values()][0] ?? ''
  return found.replaceAll('var(--amber)', colours.amber)
}
