import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { LanguageProvider } from '../app/text.tsx'
import { PlacePicker } from './place-picker.tsx'

const refusal = 'Not a city of that province'
const shown = (provinceId: number | null, cityId: number | null) => {
  const picker = createElement(PlacePicker, { value: { provinceId, cityId, districtId: null }, onChange: () => undefined, error: refusal })
  const inQueries = createElement(QueryClientProvider, { client: new QueryClient() }, picker)
  const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial: en, children: inQueries })))
  return html
    .split('class="field ')
    .slice(1)
    .map((field) => /class="field-error">([^<]*)/.exec(field)?.[1])
}

test('the error of a place stands beside the first choice that is missing, or else beside the city', () => {
  expect(shown(null, null)).toEqual([en.rule.choice, undefined, undefined])
  expect(shown(330_000, null)).toEqual([undefined, en.rule.choice, undefined])
  expect(shown(330_000, 110_100)).toEqual([undefined, refusal, undefined])
})
