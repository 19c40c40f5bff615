import type { ReactNode } from 'react'
import { toMoment } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { isShort, openWait } from '#shared/demand/guards.ts'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { minute } from '../../app/format.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import type { ConfirmedMove } from './demand-move-dialog.tsx'

/** Makes the button that opens the dialog of a move. */
export type MoveButton = (move: ConfirmedMove, label: string, tone?: string) => ReactNode

type Noticed = Parameters<typeof openWait>[0] &
  Parameters<typeof isShort>[0] &
  Pick<OwnDemand, 'mayApprove' | 'quoteCount' | 'minQuotes' | 'notifiedCount' | 'demandType' | 'sealed'>

/** What the demand waits for: the unit above, its quotes, or a decision about too few of them. */
export function StatusNotice({ demand, button }: { demand: Noticed; button: MoveButton }) {
  const { own } = useText().demand
  const session = useSession()
  const mayEdit = mayIn(session, 'demand:edit')
  const mayAward = mayIn(session, 'demand:award')
  const waits = mayEdit ? openWait(demand, toMoment(new Date())) : { from: null }
  return (
    <>
      {demand.status === demandStatus.submitted && <p className="notice">{demand.mayApprove ? own.waitingMine : own.waiting}</p>}
      {demand.status === demandStatus.quoting &&
        (isShort(demand, toMoment(new Date())) ? (
          <div className="notice notice-warn stack" role="status">
            <p>{own.short(demand.quoteCount, demand.minQuotes)}</p>
            {mayEdit && (
              <p className="row no-print">
                {button('extend', own.extend, 'button-primary')}
                {button('open', own.openShort)}
                {mayAward && button('fail', own.fail, 'button-danger')}
              </p>
            )}
          </div>
        ) : (
          <div className="notice row between">
            <strong>{own.received(demand.quoteCount)}</strong>
            <span>
              {demand.notifiedCount !== null &&
                (demand.demandType === demandType.invited ? own.notifiedInvited(demand.notifiedCount) : own.notified(demand.notifiedCount))}
            </span>
            <span>{demand.sealed ? own.receivedSealed : waits ? own.openWaits(waits.from && minute(waits.from)) : own.receivedOpen}</span>
          </div>
        ))}
    </>
  )
}
