import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src/web'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path.endsWith('.tsx') && existsSync(join(root, path)))
  .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))

/** The arguments of each call of the function in the text. */
const callsOf = (name: string, source: string): string[] =>
  source
    .split(`${name}(`)
    .slice(1)
    .map((rest) => {
      let open = 1
      const end = [...rest].findIndex((letter) => {
        open += Number(letter === '(') - Number(letter === ')')
        return open === 0
      })
      return rest.slice(0, end)
    })

/** Fields that show an error, as they are written in the page. */
const fieldsOf = (source: string): string[] =>
  [...source.matchAll(/<(?:TextField|TextareaField|SelectField|DateField|MoneyField|FileList)\b[\s\S]*?\/>/g)]
    .map(([field]) => field)
    .filter((field) => /\berrors?\./.test(field))

test('a form whose fields it holds itself clears the error of a field that is changed', () => {
  const own = sources.filter(({ source }) => /\buseForm\(/.test(source) && fieldsOf(source).length > 0)
  expect(own.length).toBeGreaterThan(8)
  expect(own.filter(({ source }) => !/\bclear\(/.test(source)).map(({ path }) => path)).toEqual([])
  // The setter of a state alone leaves the error where it is.
  const stale = own.filter(({ source }) => fieldsOf(source).some((field) => /onChange=\{(\(?\w+\)? => )?set[A-Z]\w*[(}]/.test(field)))
  expect(stale.map(({ path }) => path)).toEqual([])
})

test('an action behind a question says what its refusal changes, so the question does not stay over an object that has changed', () => {
  const asking = sources.filter(({ source }) => /<ConfirmDialog\b/.test(source) && /\buseMutation\(/.test(source))
  expect(asking.length).toBeGreaterThan(8)
  const silent = asking.filter(({ source }) => callsOf('useMutation', source).some((options) => !/\bon(Error|Settled)\b/.test(options)))
  expect(silent.map(({ path }) => path)).toEqual([])
})

test('a dialog with fields says what a refusal changes, so it does not stay over an object that has changed', () => {
  const forms = sources.filter(({ source }) => /<ConfirmDialog\b/.test(source) && /\buseDraftFields\(/.test(source))
  expect(forms.length).toBeGreaterThan(6)
  const silent = forms.filter(({ source }) => callsOf('form.submit', source).some((options) => !/^\w+, \{[\s\S]*\}, \S/.test(options)))
  expect(silent.map(({ path }) => path)).toEqual([])
})

test('a form that shows its refusal also fetches its object again where that has changed', () => {
  const stale = sources.filter(({ source }) => callsOf('useMutation', source).some((options) => /\bonError: form\.refused\b/.test(options)))
  expect(stale.map(({ path }) => path)).toEqual([])
})

test('a question without fields is asked in one way, which closes where the object has changed and stays where the call may be sent again', () => {
  const own = sources.filter(({ source }) => /onConfirm=\{\(\) => \w+( !== null)? && \w+\.mutate\(\w+\)\}/.test(source))
  expect(own.map(({ path }) => path)).toEqual([])
})

/** The functions of the page: each begins at the start of a line. */
const functionsOf = ({ source }: (typeof sources)[number]) =>
  source.split(/^(?=(?:export )?(?:default )?(?:function|const) )/m).map((part) => ({
    name: /^(?:export )?(?:default )?(?:function|const) (\w+)/.exec(part)?.[1] ?? '',
    source: part,
  }))

/** Dialogs that store nothing, each with its reason. */
const storesNothing = {
  DictionaryPage: 'the form of an entry is a component of its own, which keeps it',
  AwardBar: 'the reasons are kept with the choice of offers',
  SendChangeDialog: 'only the code of an SMS is typed, and the form behind the dialog keeps the rest',
  SaveSearchDialog: 'one short name',
  LinkDialog: 'one address',
  Palette: 'a search',
  Decision: 'the page keeps the reason with its draft',
  ReviewBar: 'the pages hand in the reason with its draft',
}

test('a dialog in which something is typed keeps it until it is sent, but for those that have a reason not to (decision 43)', () => {
  const keeps = /\buse(?:DialogDraft|DraftFields|ValuesDraft|SentText)\b(?:<.*>)?\(/
  const isTyped = /<(?:\w*Fields?|textarea|input)\b|\buse(?:Fields|Form|CallForm)\(/
  const dialogs = sources.flatMap(functionsOf).filter(({ source }) => /<(?:Confirm)?Dialog\b/.test(source) && isTyped.test(source))
  expect(dialogs.length).toBeGreaterThan(15)
  const unkept = dialogs.filter(({ source }) => !keeps.test(source)).map(({ name }) => name)
  expect(unkept.toSorted()).toEqual(Object.keys(storesNothing).toSorted())
})

test('the forms of new records that belong to a project name their drafts by it', () => {
  const forms = ['demand/use-draft.ts', 'contract/direct-contract-editor.tsx', 'blacklist-form-page.tsx']
  for (const form of forms) expect(readFileSync(join(root, 'src/web/workbench', form), 'utf8')).toMatch(/\bnameOfNew\(/)
})
