import { useState } from 'react'
import { lookAtLessor } from '#shared/company/contract.ts'
import { call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'

/** Shows the contact of a lessor once it is asked for, because each look is counted. Others read how they come to it. */
export function LessorContact({ companyId }: { companyId: number }) {
  const { demand, locale, search } = useText()
  const session = useSession()
  const [contact, setContact] = useState<{ contactName: string; contactPhone: string } | null>(null)
  const [isAsking, setAsking] = useState(false)
  if (!mayIn(session, 'contact:look')) return <p className="small soft contact-hint">{search.contactHint}</p>
  if (contact)
    return (
      <p>
        {search.contactLessor}
        {colon({ locale })}
        {contact.contactName}{' '}
        <a className="num" href={`tel:${contact.contactPhone}`}>
          {contact.contactPhone}
        </a>
      </p>
    )
  const look = async () => {
    setAsking(true)
    setContact(await call(lookAtLessor, { params: { id: companyId } }))
    toast('info', demand.contactLooked)
  }
  // The call has shown its refusal; the button stays.
  return (
    <button
      type="button"
      className="button"
      aria-disabled={isAsking}
      onClick={() =>
        void look()
          .catch(() => undefined)
          .finally(() => setAsking(false))
      }
    >
      {demand.contactLook}
    </button>
  )
}
