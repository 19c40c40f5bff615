// How the modules of the private areas are put together in files (decision 55). A screen is one of a hundred, and its modules shared with
// others would be sixty files of one kilobyte, which a slow line asks for six at a time.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node.mjs'

const web = join(root, 'src/web')
const pagesIn = (folder) =>
  readdirSync(join(web, folder), { recursive: true })
    .filter((name) => /(-page|layout)\.tsx$/.test(name))
    .map((name) => join(web, folder, name))

/** What a visitor's page needs, whatever it is: never together with what only people who have signed in fetch. */
const open = [join(web, 'root.tsx'), join(web, 'entry.client.tsx'), join(web, 'app/not-found.tsx'), ...pagesIn('public')]
/** What the first screen of the workbench needs is one file, which most other private screens share; what its longest form needs besides is another. */
const pages = {
  desk: [
    join(web, 'workbench/demand-list-page.tsx'),
    join(web, 'app/private-layout.tsx'),
    join(web, 'app/menu-counts.ts'),
    join(web, 'app/workbench-menu.ts'),
  ],
  form: [join(web, 'workbench/demand-form-page.tsx')],
}

/** The modules that these import, directly or not, but for what they import later. */
function closureOf(starts, context) {
  const seen = new Set()
  const visit = (id) => {
    if (seen.has(id)) return
    seen.add(id)
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) visit(next)
  }
  for (const id of starts) visit(id)
  return seen
}

/** The groups, in this order: a group takes what its modules import as well, unless an earlier one has it. */
export function screenGroups() {
  let sets
  const setsOf = (context) => {
    if (sets) return sets
    const first = closureOf(open, context)
    const desk = closureOf(pages.desk, context)
    const longest = closureOf(pages.form, context)
    const users = Map.groupBy(
      open.flatMap((page) => [...closureOf([page], context)]),
      (id) => id,
    )
    // What one page alone needs stands in that page's file.
    const visitors = new Set([...first].filter((id) => (users.get(id)?.length ?? 0) > 1 || desk.has(id) || longest.has(id)))
    // A part that brings a library of its own stays with it: other screens use the light parts alone. All fetch that of the schemas.
    const isLight = (id) =>
      [...closureOf([id], context)].every((one) => first.has(one) || desk.has(one) || !/\/node_modules\/(?!zod\/)/.test(one))
    const form = new Set([...longest].filter(isLight))
    return (sets = { open: visitors, desk, form })
  }
  // What the router names stays a file of its own: running one of them starts the page.
  const isEntry = (id) => /\/(entry\.client|root|layout|[\w-]+-page)\.tsx/.test(id)
  const nameOf = (name) => (id, context) => (setsOf(context)[name].has(id) && !isEntry(id) ? name : null)
  return [{ name: nameOf('open'), entriesAware: true }, { name: nameOf('desk') }, { name: nameOf('form') }]
}

/** Parts of visitors' pages are named by their content alone: each would have the names of all pages that use it. */
export const fileNames = ({ name }) => `assets/${name.startsWith('open~') ? 'open' : '[name]'}-[hash].js`
