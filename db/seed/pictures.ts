import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { strokes, strokesWidth } from './strokes.ts'

export type Picture = { full: Buffer; thumb: Buffer; mime: 'image/jpeg' | 'image/png' }

const symbols = new Map(
  [
    ...readFileSync(new URL('../../src/web/equipment/drawings.svg', import.meta.url), 'utf8').matchAll(
      /<symbol id="([^"]+)"[^>]*>([\s\S]*?)<\/symbol>/g,
    ),
  ].map(([, id = '', content = '']) => [id, content]),
)

const skies = [
  ['#bcd7ef', '#eef5fb'],
  ['#f3d9b8', '#fbf3e6'],
  ['#c9d2da', '#eef1f3'],
  ['#a9cbe8', '#e6f1f8'],
] as const
const paints = ['#f2b21c', '#f4f1e8', '#e8742a', '#5aa469', '#f5c518'] as const
const dark = '#27313d'

/** What a picture shows of a machine: its category's drawing, its plate or factory number, its hours. */
export type Shown = { category: number; plate: string; isRoadPlate: boolean; hours: number | null; seed: number }

/** In pixels. */
export const photoSize = { width: 800, height: 520 }

/** A machine on its yard, drawn in the stead of a photo, with its plate and its hour meter. */
export function photoOf(shown: Shown): Promise<Picture> {
  const { category, seed } = shown
  const [top, bottom] = skies[seed % skies.length] ?? skies[0]
  const paint = paints[(seed * 7 + category) % paints.length] ?? paints[0]
  const drawing = (symbols.get(`c${category}`) ?? '').replaceAll('var(--amber)', paint).replaceAll('fill-opacity=".9"', '')
  const blocks = Array.from({ length: 9 }, (_, at) => {
    const height = 46 + ((seed * 37 + at * 61) % 120)
    return `<rect x="${at * 92 - 10}" y="${372 - height}" width="${58 + ((seed + at * 29) % 34)}" height="${height}" fill="#8fa3b5" opacity=".${28 + ((at * 7) % 20)}"/>`
  }).join('')
  const stones = Array.from(
    { length: 46 },
    (_, at) =>
      `<ellipse cx="${(at * 173 + seed * 31) % 800}" cy="${392 + ((at * 47) % 120)}" rx="${5 + (at % 7)}" ry="2" fill="#8a7f6c" opacity=".35"/>`,
  ).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${photoSize.width}" height="${photoSize.height}"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient><linearGradient id="g" x2="0" y2="1"><stop stop-color="#b9ab91"/><stop offset="1" stop-color="#978a73"/></linearGradient></defs>
    <rect width="800" height="380" fill="url(#s)"/>${blocks}<rect y="370" width="800" height="150" fill="url(#g)"/>${stones}
    <ellipse cx="400" cy="428" rx="300" ry="16" fill="#4d463a" opacity=".4"/>
    <g transform="translate(100 78) scale(5)" fill="#dfe4ea" stroke="${dark}" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">${drawing}</g>
    ${plate(shown)}${shown.hours === null ? '' : hourMeter(shown.hours)}</svg>`
  return encode(svg)
}

/** Plate and meter stand away from the edges, which thumbnails and cards cut off. */
function plate({ plate: number, isRoadPlate }: Shown): string {
  if (!number) return ''
  const size = 22
  const width = strokesWidth(number, size) + 36
  const [back, front] = isRoadPlate ? ['#1d4fa3', '#ffffff'] : ['#f3f0e4', dark]
  return `<g transform="translate(64 424)"><rect width="${width}" height="44" rx="6" fill="${back}" stroke="#ffffff" stroke-width="2"/>${strokes(number, { x: 18, y: 11, size, colour: front })}</g>`
}

function hourMeter(hours: number): string {
  const text = String(Math.floor(hours)).padStart(5, '0')
  return `<g transform="translate(570 412)"><rect width="166" height="62" rx="10" fill="#1c222a" stroke="#5b6672" stroke-width="3"/><rect x="12" y="12" width="118" height="38" rx="4" fill="#a9c7a2"/>${strokes(text, { x: 20, y: 20, size: 22, colour: '#16201a' })}${strokes('H', { x: 138, y: 24, size: 16, colour: '#d7dde4' })}</g>`
}

/** The hour meter and the maker's plate of a machine from near, as a lessor takes them for the review. */
export function nameplateOf({ plate: number, hours, seed }: Shown): Promise<Picture> {
  const rows = Array.from({ length: 4 }, (_, at) => {
    const y = 196 + at * 62
    return `<rect x="150" y="${y}" width="110" height="16" rx="4" fill="#6d7884"/><rect x="290" y="${y}" width="${170 + ((seed * 31 + at * 67) % 190)}" height="16" rx="4" fill="#98a3ae"/>`
  }).join('')
  return encode(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="520"><rect width="800" height="520" fill="#e2a91f"/><rect x="90" y="60" width="620" height="400" rx="18" fill="#c9d0d6" stroke="#7b8690" stroke-width="6"/>
    ${strokes(number, { x: 150, y: 106, size: 46, colour: dark })}${rows}
    <g fill="#7b8690"><circle cx="118" cy="88" r="9"/><circle cx="682" cy="88" r="9"/><circle cx="118" cy="432" r="9"/><circle cx="682" cy="432" r="9"/></g>${hours === null ? '' : hourMeter(hours)}</svg>`)
}

async function encode(svg: string): Promise<Picture> {
  const image = sharp(Buffer.from(svg))
  const full = await image.jpeg({ quality: 74 }).toBuffer()
  return { full, thumb: await thumbnailOf(full), mime: 'image/jpeg' }
}

/** As wide as the drawing, so that neither the plate nor the hour meter is cut off. */
const thumbnailOf = (image: Buffer) => sharp(image).resize(480, 312, { fit: 'cover' }).webp({ quality: 76 }).toBuffer()

/** A document with frame, lines, number and seal. `wide` for cards. */
export async function drawnPaper(hue: number, wide: boolean, number = ''): Promise<Picture> {
  const [width, height] = wide ? [760, 482] : [560, 768]
  const lines = Array.from({ length: wide ? 5 : 9 }, (_, index) => {
    const y = (wide ? 130 : 190) + index * (wide ? 52 : 54)
    return `<rect x="70" y="${y}" width="96" height="13" rx="4" fill="#9fb0cc"/><rect x="190" y="${y}" width="${width - 290 - ((index * 83) % 150)}" height="13" rx="4" fill="#d5deec"/>`
  }).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${hue},38%,97%)"/>
    <rect x="22" y="22" width="${width - 44}" height="${height - 44}" fill="none" stroke="hsl(${hue},45%,62%)" stroke-width="5"/>
    <rect x="34" y="34" width="${width - 68}" height="${height - 68}" fill="none" stroke="hsl(${hue},45%,72%)" stroke-width="2"/>
    <rect x="${width / 2 - 120}" y="64" width="240" height="28" rx="6" fill="hsl(${hue},40%,45%)"/>${number ? strokes(number, { x: 70, y: wide ? 104 : 140, size: 17, colour: '#3c4a60' }) : ''}${lines}
    <circle cx="${width - 130}" cy="${height - 130}" r="66" fill="none" stroke="#d03a35" stroke-width="7" opacity=".82"/>
    <path d="M${width - 130} ${height - 160}l8 22h24l-19 14 7 23-20-14-20 14 7-23-19-14h24z" fill="#d03a35" opacity=".82"/></svg>`
  const full = await sharp(Buffer.from(svg)).png({ palette: true, colours: 32, effort: 1 }).toBuffer()
  return { full, thumb: await thumbnailOf(full), mime: 'image/png' }
}
