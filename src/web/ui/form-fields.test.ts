import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CheckField } from './form-fields.tsx'

test('a box that must be ticked says so beside it, and only then counts as wrong', () => {
  const shown = (error?: string) =>
    renderToStaticMarkup(createElement(CheckField, { label: '承诺续期', value: false, error, onChange: () => undefined }))
  expect(shown('请勾选')).toContain('请勾选')
  expect(shown('请勾选')).toContain('aria-invalid="true"')
  expect(shown()).not.toContain('aria-invalid')
})
