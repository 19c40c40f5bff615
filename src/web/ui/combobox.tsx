import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from 'downshift'
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { choicesFor, matches, type Choice } from './choice-search.ts'
import { showBeside } from './place-beside.ts'
import './combobox.css'

type Shared = {
  id: string
  label: string
  options: readonly Choice[]
  placeholder?: string
  /** Shown if nothing matches. */
  none: string
  invalid?: boolean
}

/** A select with a search, for one of many choices. */
export function Combobox({
  value,
  onChange,
  ...shared
}: Shared & {
  value: number | null
  /** `typed`: the text that found the choice; empty where it was picked from the whole list. */
  onChange: (value: number, typed: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const selected = shared.options.find((option) => option.value === value) ?? null
  const items = useMemo(() => choicesFor(shared.options, typed ?? ''), [shared.options, typed])
  return (
    <SearchBox
      {...shared}
      items={items}
      selected={selected}
      typed={typed}
      onType={setTyped}
      onPick={(picked) => onChange(picked, typed ?? '')}
    />
  )
}

/** A select with a search, for several of many choices. With `onSearch` the caller supplies the options that match the typed text. */
export function MultiCombobox({
  values,
  onChange,
  onSearch,
  max = Infinity,
  remove,
  ...shared
}: Shared & {
  values: readonly Choice[]
  onChange: (values: Choice[]) => void
  onSearch?: (typed: string) => void
  max?: number
  /** The label of the button that removes a chosen one. */
  remove: string
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const { options } = shared
  const items = options.filter(
    (option) => !values.some(({ value }) => value === option.value) && (onSearch !== undefined || matches(option, typed ?? '')),
  )
  const type = (next: string | null) => {
    setTyped(next)
    if ((next ?? '') !== (typed ?? '')) onSearch?.(next ?? '')
  }
  return (
    <SearchBox
      {...shared}
      {...(values.length > 0 && { placeholder: '' })}
      items={items}
      selected={null}
      typed={typed}
      onType={type}
      onPick={(picked) => onChange([...values, ...options.filter(({ value }) => value === picked)].slice(-max))}
      onErase={() => onChange(values.slice(0, -1))}
    >
      {values.map(({ value, label }) => (
        <span key={value} className="picker-chosen">
          {label}
          <button type="button" aria-label={`${remove} ${label}`} onClick={() => onChange(values.filter((one) => one.value !== value))}>
            ×
          </button>
        </span>
      ))}
    </SearchBox>
  )
}

/** Keeps the choice when Escape closes the list or the field loses focus; downshift would clear or change it. */
const keepsChoice = (state: UseComboboxState<Choice>, { type, changes }: UseComboboxStateChangeOptions<Choice>) =>
  type === useCombobox.stateChangeTypes.InputBlur || type === useCombobox.stateChangeTypes.InputKeyDownEscape
    ? { ...changes, selectedItem: state.selectedItem }
    : changes

function SearchBox({
  id,
  label,
  placeholder = '',
  none,
  invalid = false,
  items,
  selected,
  typed,
  onType,
  onPick,
  onErase,
  children,
}: Omit<Shared, 'options'> & {
  items: Choice[]
  selected: Choice | null
  typed: string | null
  onType: (typed: string | null) => void
  onPick: (value: number) => void
  /** Backspace in the empty field removes the last chosen one. */
  onErase?: () => void
  children?: ReactNode
}) {
  const { isOpen, highlightedIndex, getInputProps, getMenuProps, getItemProps } = useCombobox<Choice>({
    inputId: id,
    items,
    itemToString: (item) => item?.label ?? '',
    itemToKey: (item) => item?.value,
    selectedItem: selected,
    inputValue: typed ?? '',
    defaultHighlightedIndex: 0,
    stateReducer: keepsChoice,
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onPick(selectedItem.value),
    onIsOpenChange: ({ isOpen: opened }) => {
      if (!opened) onType(null)
    },
  })
  const box = useRef<HTMLDivElement>(null)
  const [list, setList] = useState<HTMLElement | null>(null)
  const [nothing, setNothing] = useState<HTMLElement | null>(null)
  const panel = !isOpen ? null : items.length > 0 ? list : nothing
  useLayoutEffect(() => {
    if (panel && box.current) return showBeside(panel, box.current)
  }, [panel])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Otherwise Escape would close the dialog around the field as well.
    if (event.key === 'Escape' && isOpen) event.preventDefault()
    if (event.key === 'Backspace' && event.currentTarget.value === '') onErase?.()
  }
  return (
    <div className="picker">
      <div ref={box} className={`picker-box ${invalid ? 'picker-bad' : ''}`}>
        {children}
        <input
          {...getInputProps({
            id,
            'aria-label': label,
            ...(invalid && { 'aria-invalid': true }),
            placeholder: selected?.label ?? placeholder,
            // The closed field shows the choice; the open one is for typing.
            value: isOpen ? (typed ?? '') : (selected?.label ?? ''),
            onChange: (event) => onType(event.currentTarget.value),
            onKeyDown,
          })}
        />
      </div>
      <div popover="manual" className="picker-list" {...getMenuProps({ ref: setList, 'aria-label': label })}>
        {isOpen &&
          groupsOf(items).map(([group, members]) => (
            <div key={group} role={group ? 'group' : 'presentation'} aria-label={group || undefined}>
              {group && (
                <div className="picker-group" aria-hidden="true">
                  {group}
                </div>
              )}
              {members.map(({ item, index }) => (
                <div
                  key={item.value}
                  {...getItemProps({ item, index, 'aria-selected': item.value === selected?.value })}
                  className={index === highlightedIndex ? 'picker-option picker-at' : 'picker-option'}
                >
                  {item.label}
                </div>
              ))}
            </div>
          ))}
      </div>
      {isOpen && items.length === 0 && (
        <p ref={setNothing} popover="manual" className="picker-list picker-none" role="status">
          {none}
        </p>
      )}
    </div>
  )
}

/** Numbers the choices across all groups, as the keyboard walks through them. */
function groupsOf(items: readonly Choice[]): [group: string, members: { item: Choice; index: number }[]][] {
  return [
    ...Map.groupBy(
      items.map((item, index) => ({ item, index })),
      ({ item }) => item.group ?? '',
    ),
  ]
}
