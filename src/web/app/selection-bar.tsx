import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { maySendAgain } from './api.ts'
import { useText } from './text.tsx'
import { reserveBarHeight } from '../ui/bar-height.ts'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.tsx'

type BatchResult = { done: number; left: readonly { id: number; msg: string }[] }

/** An action on several rows, each by itself. With `ask` a question precedes it. */
export type BatchAction<Row> = {
  label: string | ((n: number) => string)
  danger?: boolean
  ask?: (n: number) => string
  /** The selected rows that the action is for; it is off while there are none. */
  fits?: (row: Row) => boolean
  run: (ids: number[]) => Promise<BatchResult>
}

/** An action with the rows that were selected when it was pressed; the selection may change while it runs. */
type Started<Row> = { action: BatchAction<Row>; rows: readonly Row[] }

/** The bar of the selected rows. Rows that an action could not change stay selected, and a dialog says why. */
export function SelectionBar<Row>({
  chosen,
  keyOf,
  nameOf,
  actions,
  onLeft,
}: {
  chosen: readonly Row[]
  keyOf: (row: Row) => number
  nameOf: (row: Row) => string
  actions: readonly BatchAction<Row>[]
  onLeft: (ids: readonly number[]) => void
}) {
  const text = useText()
  const { list } = text
  const [askedAction, setAskedAction] = useState<BatchAction<Row> | null>(null)
  const [left, setLeft] = useState<readonly { name: string; msg: string }[]>([])
  /** While an action runs, its question may be closed and another one opened, which stays. */
  const close = (action: BatchAction<Row>) => setAskedAction((now) => (now === action ? null : now))
  const act = useMutation({
    mutationFn: ({ action, rows }: Started<Row>) => action.run(rows.map(keyOf)),
    onSuccess: (result, { action, rows }) => {
      const names = new Map(rows.map((row) => [keyOf(row), nameOf(row)]))
      close(action)
      setLeft(result.left.map(({ id, msg }) => ({ name: names.get(id) ?? String(id), msg })))
      onLeft(result.left.map(({ id }) => id))
      if (result.done > 0) toast('success', list.batchDone(result.done))
    },
    onError: (error, { action }) => maySendAgain(error) || close(action),
  })
  const fitting = ({ fits }: BatchAction<Row>) => (fits ? chosen.filter(fits) : chosen)
  const labelOf = (action: BatchAction<Row>) => (typeof action.label === 'string' ? action.label : action.label(fitting(action).length))
  const run = (action: BatchAction<Row>) => act.mutate({ action, rows: fitting(action) })
  const start = (action: BatchAction<Row>) => (action.ask ? setAskedAction(action) : run(action))
  return (
    <>
      {chosen.length > 0 && (
        <div ref={reserveBarHeight} className="action-bar work-bar" role="region" aria-label={list.selected(chosen.length)}>
          <span role="status">{list.selected(chosen.length)}</span>
          <span className="row gap-8">
            {actions.map((action, at) => (
              <button
                key={at}
                type="button"
                className={`button button-small ${action.danger ? 'button-danger' : ''}`}
                aria-disabled={act.isPending || fitting(action).length === 0}
                onClick={() => start(action)}
              >
                {labelOf(action)}
                {typeof action.label === 'string' && fitting(action).length !== chosen.length && (
                  <span className="num">{fitting(action).length}</span>
                )}
              </button>
            ))}
            <button type="button" className="link" onClick={() => onLeft([])}>
              {list.unselect}
            </button>
          </span>
        </div>
      )}
      <ConfirmDialog
        open={askedAction !== null}
        onClose={() => setAskedAction(null)}
        title={askedAction ? labelOf(askedAction) : ''}
        action={askedAction ? labelOf(askedAction) : ''}
        kind={askedAction?.danger ? 'warning' : 'info'}
        busy={act.isPending}
        onConfirm={() => askedAction && run(askedAction)}
      >
        <p>{askedAction?.ask?.(fitting(askedAction).length)}</p>
      </ConfirmDialog>
      <Dialog
        open={left.length > 0}
        onClose={() => setLeft([])}
        kind="warning"
        title={list.batchLeft(left.length)}
        closeLabel={text.site.action.close}
      >
        <p>{list.batchLeftLead}</p>
        <ul className="work-left">
          {left.map(({ name, msg }) => (
            <li key={name}>
              <strong>{name}</strong> <span className="soft">{msg}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
