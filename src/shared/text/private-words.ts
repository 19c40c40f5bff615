import type { Text } from './zh-cn.ts'

/**
 * The groups of words that only the private areas show, by their paths. The browser's build leaves them out of what every page fetches
 * (`scripts/split-words.mjs`, decision 48), and public pages are rendered without them, so a public page that uses one fails at once.
 */
export const privateWords = [
  'admin',
  'blacklist',
  'ceiling',
  'certification',
  'contract',
  'internal',
  'organization',
  'statistics',
  'refusal',
  'messages',
  'account.permission',
  'personal.cancellation',
  'personal.feedback',
  'personal.subscription',
  'personal.admin',
  'personal.sms',
  'demand.own',
  'demand.approval',
  'demand.form',
  'quote',
  'list.demand',
  'list.machine',
  'list.draft',
  'list.company',
  'list.review',
  'list.exportCut',
  'equipment.own',
  'equipment.upload',
  'equipment.imports',
  'equipment.review',
  'rule.codes.parent_ended',
  'rule.codes.bond_unlawful',
  'rule.codes.retention_unlawful',
] as const

/** Words inside these groups that public pages show all the same. */
const sharedWords = [
  'certification.title',
  'personal.cancellation.withdrawn',
  'demand.form.specs',
  'demand.form.invoice',
  'demand.form.sections',
  'quote.form.taxRate',
] as const

const isUnder = (path: string, group: string) => path === group || path.startsWith(`${group}.`)

/** Whether a path lies in one of the private groups: all of it, nothing of it, or some. */
export function privacyOf(path: string): 'whole' | 'none' | 'part' {
  if (sharedWords.some((shared) => isUnder(path, shared))) return 'none'
  const holdsShared = sharedWords.some((shared) => isUnder(shared, path))
  if (privateWords.some((group) => isUnder(path, group))) return holdsShared ? 'part' : 'whole'
  return privateWords.some((group) => isUnder(group, path)) ? 'part' : 'none'
}

/** The catalogue without its private groups. Its type does not say so: the pages that read them have loaded them before. */
export const withoutPrivateWords = (text: Text): Text => pruned(text, '')

function pruned<Group extends object>(group: Group, path: string): Group {
  const left = { ...group }
  for (const key of Object.keys(group) as (keyof Group & string)[]) {
    const inner = path ? `${path}.${key}` : key
    const privacy = privacyOf(inner)
    const value = group[key]
    if (privacy === 'whole') Reflect.deleteProperty(left, key)
    else if (privacy === 'part' && isGroup(value)) left[key] = pruned(value, inner)
  }
  return left
}

/** Joins the two parts of a catalogue. */
export function joinedWords<Group extends object>(one: Group, other: Group): Group {
  const joined = { ...one }
  for (const key of Object.keys(other) as (keyof Group)[]) {
    const [before, after] = [one[key], other[key]]
    joined[key] = isGroup(before) && isGroup(after) ? joinedWords(before, after) : after
  }
  return joined
}

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
