import { expect } from 'vitest'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { field, settled, type startProduct } from './product.ts'

type Product = Awaited<ReturnType<typeof startProduct>>

/** The forms in which something is typed and left, and their drafts on the server from now on. A lessor may quote for `openDemand`. */
export function typedForms(product: Product, openDemand: number) {
  const started = new Date().toISOString()
  const forms = {
    demand: { user: 'project', path: paths.addDemand(), label: zhCn.demand.form.titleField, elsewhere: zhCn.demand.own.list },
    machine: { user: 'lessor', path: paths.addMachine, label: zhCn.equipment.upload.fields.brand, elsewhere: zhCn.quote.title },
    quote: { user: 'lessor', path: paths.marketDemand(openDemand), label: zhCn.quote.form.note, elsewhere: zhCn.equipment.own.title },
    certification: {
      user: 'newcomer',
      path: paths.certificationOf('rentout'),
      label: zhCn.certification.fields.enterpriseName ?? '',
      elsewhere: zhCn.personal.tabs.feedback,
    },
  } as const
  const names = ['demand', 'machine', 'quote', 'certification'] as const satisfies readonly (keyof typeof forms)[]

  /** Opens the form of that name; `leave` clicks another entry of the menu at once, without waiting for a save. */
  async function openForm(name: keyof typeof forms, { isFresh = false } = {}) {
    const { user, path, label, elsewhere } = forms[name]
    const visitor = await product.visit({ user, isFresh })
    const { page } = visitor
    await page.goto(path)
    await settled(page)
    const box = field(page, label)
    await box.waitFor()
    const entry = page.locator('aside nav').getByText(elsewhere, { exact: true })
    return {
      ...visitor,
      box,
      type: (text: string) => box.fill(text),
      leave: async () => {
        await entry.click()
        await box.waitFor({ state: 'detached' })
      },
      holds: (text: string) => expect.poll(() => box.inputValue().catch(() => ''), { message: name }).toBe(text),
    }
  }

  /** The titles or names of all drafts that the server has of forms opened here, the newest first. */
  const drafts = async (name: 'demand' | 'certification') => {
    const rows = await product.sql(
      name === 'demand'
        ? `select title as text from demand where status = '0' and create_time > $1 order by update_time desc`
        : `select name as text from certification where status = '0' and create_time > $1 order by update_time desc`,
      [started],
    )
    return rows.map(({ text }) => String(text))
  }
  const stored = async (name: 'demand' | 'certification') => (await drafts(name))[0]
  return { forms, names, openForm, drafts, stored }
}
