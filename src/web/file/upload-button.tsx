import { useRef, type ReactNode } from 'react'

export const pictureTypes = 'image/jpeg,image/png,image/webp'
export const documentTypes = `${pictureTypes},application/pdf`

/**
 * A button that opens the file picker. `mark` is the data attribute of the hidden control, by which a page distinguishes its controls.
 */
export function UploadButton({
  accept,
  mark,
  onPick,
  multiple = false,
  disabled,
  className = 'button button-small',
  children,
}: {
  accept: string
  mark: Readonly<Record<`data-${string}`, string>>
  onPick: (files: File[]) => void
  multiple?: boolean
  disabled: boolean
  className?: string
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className={className} aria-disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        {...mark}
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        onChange={(event) => {
          onPick([...(event.target.files ?? [])])
          // Otherwise picking the same file again would be no change.
          event.target.value = ''
        }}
      />
    </>
  )
}
