import { Image } from '@tiptap/extension-image'
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useId, useRef, useState, type ReactNode } from 'react'
import { uploadArticleImage } from '#shared/article/manage.ts'
import { ApiError, upload } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { showPicture } from '../file/stored-picture.ts'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import { tables } from './rich-tables.ts'
import './rich-text.css'

/** A picture of a draft is shown to its editors only, so it is fetched with the token. */
const StoredImage = Image.extend({
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('img')
      dom.alt = String(node.attrs.alt ?? '')
      return { dom, destroy: showPicture(dom, String(node.attrs.src ?? '')) }
    }
  },
})

/** Edits the HTML, which may not be empty, that the site's allow list permits. A picture is uploaded when it is inserted. */
export function RichText({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: string
  onChange: (html: string) => void
  error?: string | undefined
}) {
  const errorId = useId()
  const invalid: Record<string, string> = error ? { 'aria-invalid': 'true', 'aria-describedby': errorId } : {}
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ heading: { levels: [2, 3] }, link: { openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'] } }),
      StoredImage,
      ...tables,
    ],
    content: value,
    editorProps: { attributes: { role: 'textbox', 'aria-label': label, 'aria-multiline': 'true', 'aria-required': 'true', ...invalid } },
    onUpdate: ({ editor: written }) => onChange(written.isEmpty ? '' : written.getHTML()),
    immediatelyRender: false,
  })
  return (
    <div className={`field ${error ? 'field-bad' : ''}`}>
      <span className="legend">
        {label}
        <span className="field-required" aria-hidden="true">
          *
        </span>
      </span>
      <div className={`editor ${error ? 'editor-bad' : ''}`}>
        {editor && <Tools editor={editor} />}
        <EditorContent editor={editor} />
      </div>
      {error && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

const linkSign = (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.600l-1.700 1.700M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.600l1.700-1.700" />
  </svg>
)
const imageSign = (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4" />
    <circle cx="15.500" cy="9" r="1.500" />
  </svg>
)

function Tool({
  label,
  sign,
  onClick,
  pressed,
  disabled = false,
}: {
  label: string
  sign: ReactNode
  onClick: () => void
  pressed?: boolean
  disabled?: boolean
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      disabled={disabled}
      onClick={onClick}
      // The style sheet draws the sign; the accessible name of the button has the words.
      {...(typeof sign === 'string' && { 'data-sign': sign })}
    >
      {typeof sign === 'string' ? null : sign}
    </button>
  )
}

/**
 * The size of a picture in pixels, which keeps its place free while the browser of a reader fetches it. Empty where this browser cannot show it.
 */
async function sizeOf(file: File): Promise<{ width?: number; height?: number }> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return {}
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

function Tools({ editor }: { editor: Editor }) {
  const text = useText()
  const words = text.admin.articles.toolbar
  const input = useRef<HTMLInputElement>(null)
  const [isLinking, setLinking] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = useEditorState({
    editor,
    selector: ({ editor: one }) => ({
      bold: one.isActive('bold'),
      italic: one.isActive('italic'),
      underline: one.isActive('underline'),
      strike: one.isActive('strike'),
      h2: one.isActive('heading', { level: 2 }),
      h3: one.isActive('heading', { level: 3 }),
      bullet: one.isActive('bulletList'),
      ordered: one.isActive('orderedList'),
      quote: one.isActive('blockquote'),
      link: one.isActive('link'),
      undo: one.can().undo(),
      redo: one.can().redo(),
    }),
  })
  const chain = () => editor.chain().focus()
  const addImage = async (file: File) => {
    setBusy(true)
    try {
      const { url } = await upload<{ url: string }>(uploadArticleImage, file)
      const size = await sizeOf(file)
      chain()
        .setImage({ src: url, alt: file.name, ...size })
        .run()
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="editor-tools" role="toolbar" aria-label={words.label}>
      <Tool label={words.bold} sign="B" onClick={() => chain().toggleBold().run()} pressed={now.bold} />
      <Tool label={words.italic} sign="I" onClick={() => chain().toggleItalic().run()} pressed={now.italic} />
      <Tool label={words.underline} sign="U" onClick={() => chain().toggleUnderline().run()} pressed={now.underline} />
      <Tool label={words.strike} sign="S" onClick={() => chain().toggleStrike().run()} pressed={now.strike} />
      <Tool label={words.h2} sign="H2" onClick={() => chain().toggleHeading({ level: 2 }).run()} pressed={now.h2} />
      <Tool label={words.h3} sign="H3" onClick={() => chain().toggleHeading({ level: 3 }).run()} pressed={now.h3} />
      <Tool label={words.bullet} sign="•" onClick={() => chain().toggleBulletList().run()} pressed={now.bullet} />
      <Tool label={words.ordered} sign="1." onClick={() => chain().toggleOrderedList().run()} pressed={now.ordered} />
      <Tool label={words.quote} sign="“ ”" onClick={() => chain().toggleBlockquote().run()} pressed={now.quote} />
      <Tool
        label={now.link ? words.unlink : words.link}
        sign={linkSign}
        onClick={() => (now.link ? chain().unsetLink().run() : setLinking(true))}
        pressed={now.link}
      />
      <Tool label={words.image} sign={imageSign} onClick={() => input.current?.click()} disabled={busy} />
      <Tool label={words.rule} sign="―" onClick={() => chain().setHorizontalRule().run()} />
      <Tool label={words.undo} sign="↶" onClick={() => chain().undo().run()} disabled={!now.undo} />
      <Tool label={words.redo} sign="↷" onClick={() => chain().redo().run()} disabled={!now.redo} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.image}
        accept="image/jpeg,image/png,image/webp"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void addImage(file)
        }}
      />
      {isLinking && (
        <LinkDialog
          onClose={() => setLinking(false)}
          onLink={(href) => {
            chain().extendMarkRange('link').setLink({ href }).run()
            setLinking(false)
          }}
        />
      )}
    </div>
  )
}

const linkAddress = /^(https?:\/\/|mailto:|tel:)\S{2,}/

function LinkDialog({ onClose, onLink }: { onClose: () => void; onLink: (href: string) => void }) {
  const words = useText().admin.articles.toolbar
  const [address, setAddress] = useState('https://')
  const [isWrong, setWrong] = useState(false)
  const link = () => {
    if (linkAddress.test(address)) onLink(address)
    else setWrong(true)
  }
  return (
    <ConfirmDialog open onClose={onClose} title={words.link} action={words.link} kind="info" busy={false} onConfirm={link}>
      <Field label={words.linkAsk} error={isWrong ? words.linkWrong : undefined}>
        {(control) => (
          <input
            {...control}
            className="input"
            maxLength={500}
            value={address}
            onChange={(event) => {
              setAddress(event.target.value)
              setWrong(false)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              // The form around the dialog is that of the article.
              event.preventDefault()
              link()
            }}
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
