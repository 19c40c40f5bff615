import { useState } from 'react'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Dialog, type DialogKind } from '../ui/dialog.tsx'
import { drawnCategories } from '../equipment/drawing.ts'
import { MachineCover, MachineIcon } from '../equipment/machine-drawing.tsx'
import { Empty, Field, Head, Pagination, Skeleton, Tag, type Tone } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { tokens } from '../ui/tokens.ts'

const tones: Tone[] = ['plain', 'blue', 'amber', 'good', 'warn', 'bad']
const kinds: DialogKind[] = ['default', 'info', 'success', 'warning', 'error']
/** Every building block in all its states. The page exists only in a build with GALLERY=1. */
export default function GalleryPage() {
  return (
    <div className="wrap page stack">
      <Head title="Gallery" site={useSiteName()} index={false} />
      <h1>Gallery</h1>
      <Colours />
      <Buttons />
      <Fields />
      <Messages />
      <States />
      <Drawings />
    </div>
  )
}

function Colours() {
  return (
    <section className="panel">
      <h2>Colours</h2>
      <ul className="form-grid">
        {Object.keys(tokens.light).map((name) => (
          <li key={name} className="row">
            <span
              style={{
                width: 40,
                height: 40,
                border: '1px solid var(--line)',
                background: `var(--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`,
              }}
            />
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Buttons() {
  const { common } = useText().site
  return (
    <section className="panel stack">
      <h2>Buttons, tags</h2>
      <p className="row">
        {['', 'button-primary', 'button-danger', 'button-small'].map((kind) => (
          <button key={kind} type="button" className={`button ${kind}`}>
            {common.confirm}
          </button>
        ))}
        <button type="button" className="button button-primary" disabled>
          {common.confirm}
        </button>
        <button type="button" className="link">
          {common.view}
        </button>
      </p>
      <p className="row">
        {tones.map((tone) => (
          <Tag key={tone} tone={tone}>
            {tone}
          </Tag>
        ))}
      </p>
    </section>
  )
}

function Fields() {
  const text = useText()
  const { common } = text.site
  return (
    <section className="panel form-grid">
      <Field label={text.demand.form.titleField}>{(control) => <input {...control} className="input" />}</Field>
      <Field label={text.demand.form.titleField} hint={text.demand.form.titleHint} required>
        {(control) => <input {...control} className="input" defaultValue="25 t" />}
      </Field>
      <Field label={text.demand.form.titleField} error={text.rule.codes.required}>
        {(control) => <input {...control} className="input" />}
      </Field>
      <Field label={common.province}>
        {(control) => (
          <select {...control} className="select">
            <option>{common.unlimited}</option>
          </select>
        )}
      </Field>
      <Field label={common.city}>{(control) => <input {...control} className="input" disabled />}</Field>
      <label className="check">
        <input type="checkbox" defaultChecked /> {text.demand.sealed}
      </label>
    </section>
  )
}

function Messages() {
  const text = useText()
  const [dialog, setDialog] = useState<DialogKind | null>(null)
  return (
    <section className="panel stack">
      <h2>Toasts, dialogs</h2>
      <p className="row">
        {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
          <button key={kind} type="button" className="button" onClick={() => toast(kind, kind)}>
            {kind}
          </button>
        ))}
      </p>
      <p className="row">
        {kinds.map((kind) => (
          <button key={kind} type="button" className="button" onClick={() => setDialog(kind)}>
            {kind}
          </button>
        ))}
      </p>
      <Dialog
        open={dialog !== null}
        onClose={() => setDialog(null)}
        title={dialog ?? ''}
        kind={dialog ?? 'default'}
        closeLabel={text.site.action.close}
      >
        <p>{text.demand.own.cancelAsk}</p>
      </Dialog>
    </section>
  )
}

function States() {
  const { common } = useText().site
  return (
    <section className="panel stack">
      <h2>Loading, empty, pages</h2>
      <Skeleton rows={2} />
      <Empty title={common.empty} hint={common.emptyHint} />
      <Pagination
        page={4}
        pageSize={10}
        total={200}
        to={(page) => `?pageNum=${page}`}
        labels={{ nav: common.pages, page: common.page, previous: common.previous, next: common.next }}
      />
    </section>
  )
}

function Drawings() {
  return (
    <section className="panel">
      <h2>Drawings</h2>
      <div className="cards">
        {drawnCategories().map(([group, category]) => (
          <div key={category} className="card">
            <MachineCover group={group} category={category} size={String(category)} note={String(category)} />
            <div className="gallery-icon">
              <MachineIcon group={group} category={category} />
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}
