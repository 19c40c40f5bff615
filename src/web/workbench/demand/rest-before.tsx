import type { OwnDemand } from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { colon } from '../../app/colon.ts'
import { useText } from '../../app/text.tsx'

type Rests = OwnDemand['followers']

const ended = [demandStatus.rejected, demandStatus.failed, demandStatus.cancelled] as const

/** The demands in which the rest of this one was handed in or published, and is still asked for or was awarded. */
export const liveRests = ({ followers }: Pick<OwnDemand, 'followers'>): Rests => followers.filter(({ status }) => !isAmong(status, ended))

/** Says that the rest was published before, because the form proposes all of it again. */
export function RestBefore({ rests }: { rests: Rests }) {
  const text = useText()
  if (rests.length === 0) return null
  return (
    <p className="notice notice-warn row">
      {text.demand.form.restBefore}
      {colon(text)}
      {rests.map(({ id, demandCode, title }) => (
        <a key={id} href={paths.ownDemand(id)} target="_blank" rel="noreferrer">
          {title} <span className="num">{demandCode}</span>
        </a>
      ))}
    </p>
  )
}
