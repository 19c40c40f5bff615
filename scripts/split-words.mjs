// A Vite plugin for the browser's build (decision 48). It splits the catalogue of a language in two: the words of public pages, which
// every page fetches, and those of the private areas (`src/shared/text/private-words.ts`), which are the same modules under `?private`.
import { privacyOf } from '../src/shared/text/private-words.ts'

const catalogue = /\/src\/shared\/text\/(?:zh-cn|en)(?:\.ts|\/\w+\.ts)(?:\?private)?$/
const query = '?private'

/** Files whose exports are parts of another group. */
const groupOf = { platform: 'admin', audit: 'admin' }
const keyOf = ({ key }) => key?.name ?? String(key?.value)

/** The ranges of properties that do not belong to this half. */
function dropsOf(object, path, keepsPrivate) {
  return object.properties.flatMap((property, at) => {
    if (property.type !== 'Property') throw new Error(`Words may not be spread: ${path}`)
    const inner = `${path}.${keyOf(property)}`
    const privacy = privacyOf(inner)
    if (privacy === 'part') {
      if (property.value.type !== 'ObjectExpression') throw new Error(`This group cannot be split: ${inner}`)
      return dropsOf(property.value, inner, keepsPrivate)
    }
    const belongs = (privacy === 'whole') === keepsPrivate
    return belongs ? [] : [[property.start, object.properties[at + 1]?.start ?? property.end, '']]
  })
}

function splitGroups(program, keepsPrivate) {
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, init }) => {
      const path = groupOf[id.name] ?? id.name
      const privacy = privacyOf(path)
      if (privacy === 'part') return dropsOf(init, path, keepsPrivate)
      return (privacy === 'whole') === keepsPrivate ? [] : [[init.start, init.end, '{}']]
    })
  })
}

const importsUnderQuery = (program) =>
  program.body
    .filter(({ type, source }) => type === 'ImportDeclaration' && /^\.\/(zh-cn|en)\//.test(source.value))
    .map(({ source }) => [source.start, source.end, JSON.stringify(source.value + query)])

export function splitWords() {
  return {
    name: 'split-words',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: catalogue },
      handler(code, id) {
        const keepsPrivate = id.endsWith(query)
        const program = this.parse(code)
        const isIndex = /\/text\/(zh-cn|en)\.ts/.test(id)
        const edits = isIndex ? (keepsPrivate ? importsUnderQuery(program) : []) : splitGroups(program, keepsPrivate)
        let split = code
        for (const [from, to, text] of edits.toSorted(([a], [b]) => b - a)) split = split.slice(0, from) + text + split.slice(to)
        return { code: split, map: null }
      },
    },
  }
}
