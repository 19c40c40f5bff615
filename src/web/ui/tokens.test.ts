import { expect, test } from 'vitest'
import { tokens, tokensCss } from './tokens.ts'

/** The luminance of a colour such as #1453d1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

type Colour = keyof typeof tokens.light
const grounds: Colour[] = ['surface', 'ground', 'sunk']
const texts: Colour[] = ['blue', 'blueDeep', 'ink', 'inkSoft', 'inkFaint', 'good', 'warn', 'bad', 'amberInk']
const pairs: [Colour, Colour][] = [
  ...texts.flatMap((text) => grounds.map((ground): [Colour, Colour] => [text, ground])),
  ['good', 'goodWash'],
  ['warn', 'warnWash'],
  ['bad', 'badWash'],
  ['onBad', 'bad'],
  ['onNight', 'night'],
  ['onBlue', 'blue'],
]

test.each(['light', 'dark'] as const)('text contrasts by 4.5 and the border of a field by 3 with what is below it (%s)', (palette) => {
  const colours = tokens[palette]
  const ratio = ([one, other]: [Colour, Colour]) => contrast(colours[one], colours[other])
  expect(pairs.filter((pair) => ratio(pair) < 4.5)).toEqual([])
  const borders: [Colour, Colour][] = [
    ['lineStrong', 'surface'],
    ['lineStrong', 'ground'],
  ]
  expect(borders.filter((pair) => ratio(pair) < 3)).toEqual([])
})

test('paper is light, whichever theme somebody has chosen', () => {
  const outside = tokensCss.replace(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}/g, '')
  expect(outside).not.toContain('color-scheme:dark')
  expect(outside).not.toContain(tokens.dark.surface)
})
