import { useState } from 'react'
import { lookAtContact } from '#shared/demand/contract.ts'
import { call } from '../app/api.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'

/** Shows the contact of somebody else's demand once it is asked for, because each look is counted. */
export function ContactLook({ demandId }: { demandId: number }) {
  const text = useText()
  const session = useSession()
  const [contact, setContact] = useState<{ contactName: string; contactPhone: string } | null>(null)
  const [isAsking, setAsking] = useState(false)
  if (!mayIn(session, 'contact:look')) return null
  const look = async () => {
    setAsking(true)
    setContact(await call(lookAtContact, { params: { id: demandId } }))
    toast('info', text.demand.contactLooked)
  }
  return contact ? (
    <span>
      {text.demand.contact} {contact.contactName} <span className="num">{contact.contactPhone}</span>
    </span>
  ) : (
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
      {text.demand.contactLook}
    </button>
  )
}
