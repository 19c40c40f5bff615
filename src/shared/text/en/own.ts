import type { OwnText } from '../zh-cn/own.ts'

export const own: OwnText = {
  account: 'Account',
  paletteLabel: 'Go to (Ctrl+K)',
  messages: { latest: 'Latest messages', nothing: 'No messages yet' },
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  palette: {
    title: 'Go to',
    placeholder: 'Pages, demands, contracts, machines, companies, people',
    keys: '↑ ↓ choose, Enter opens, Esc closes',
    nothing: 'Nothing found',
    partly: 'Some results could not be loaded; change the words to try again',
    kinds: {
      page: 'Page',
      demand: 'Own demand',
      contract: 'Contract',
      ownMachine: 'Own machine',
      person: 'Person',
      company: 'Company',
      machine: 'Machine',
      category: 'Category',
      library: 'Demand',
    },
  },
  firstSteps: {
    title: 'Getting started',
    done: (n, of) => `${n} of ${of} done`,
    isDone: 'done',
    steps: {
      certify: {
        title: 'Certify your company',
        hint: 'Upload the business licence and the other documents; everything opens once they pass',
        action: 'Certify',
      },
      machine: { title: 'Upload a machine', hint: 'Model, photos, documents and rent; a workbook imports many at once', action: 'Upload' },
      shelf: {
        title: 'Put it on the shelf',
        hint: 'Once it has passed review, a machine on the shelf is in the library',
        action: 'To my machines',
      },
      quote: { title: 'Quote', hint: 'See the demands that your machines fit', action: 'See demands' },
      project: { title: 'Add a project department', hint: 'Demands are published by project departments', action: 'Add project' },
      person: { title: 'Add people', hint: 'They sign in with their phone; the initial password arrives by SMS', action: 'Add person' },
      demand: {
        title: 'Publish a demand',
        hint: 'State machines, dates and terms; quotes stay sealed until the deadline',
        action: 'Publish',
      },
      award: { title: 'Award', hint: 'After the opening, compare line by line and choose', action: 'My demands' },
    },
  },
}
