// A Vite plugin for the browser's build (decision 17), for the bar of 95 KB of script on a first visit. It reduces each call to method, address and form, and retains only the body schemas
// that forms check (`name.body` somewhere in src/web), so pages without such a form need no schema library. The bundler then leaves out
// whatever nothing uses.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node.mjs'

const dropped = new Set(['summary', 'access', 'params', 'query', 'answer', 'shared', 'transaction', 'audit', 'limit'])

/** The names of calls whose body some form checks. */
function checkedBodies() {
  const web = join(root, 'src/web')
  const names = readdirSync(web, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(join(web, name), 'utf8').matchAll(/\b(\w+)\.body\b/g)].map(([, name]) => name))
  return new Set(names)
}

const keyOf = ({ key }) => key?.name ?? key?.value

const isCall = (init) =>
  init?.type === 'ObjectExpression' && ['method', 'url', 'answer'].every((key) => init.properties.some((one) => keyOf(one) === key))

/** A call, or an object or a list that calls something or reads other constants. */
const isComputed = ({ type, start, end }, code) =>
  type === 'CallExpression' || ((type === 'ObjectExpression' || type === 'ArrayExpression') && /\(|\.\w/.test(code.slice(start, end)))

const dropsOf = (properties, withBody) =>
  properties.flatMap((property, at) =>
    dropped.has(keyOf(property)) || (keyOf(property) === 'body' && !withBody)
      ? [[property.start, properties[at + 1]?.start ?? property.end, '']]
      : [],
  )

/** Creating a schema has no side effects. Marking it as pure lets the bundler drop schemas that nothing uses. */
export function leanContracts() {
  let checked = new Set()
  return {
    name: 'lean-contracts',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      checked = checkedBodies()
    },
    transform: {
      filter: { id: /\/src\/shared\/(?!text\/).*\.ts$/ },
      handler(code) {
        const edits = []
        for (const statement of this.parse(code).body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { id, init } of declaration.declarations) {
            if (isCall(init)) edits.push(...dropsOf(init.properties, checked.has(id.name)))
            else if (init && isComputed(init, code))
              edits.push([init.start, init.start, '/* @__PURE__ */ (() => ('], [init.end, init.end, '))()'])
          }
        }
        let lean = code
        for (const [from, to, text] of edits.toReversed()) lean = lean.slice(0, from) + text + lean.slice(to)
        return { code: lean, map: null, moduleSideEffects: false }
      },
    },
  }
}
