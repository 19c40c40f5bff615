import { HeaderMenu } from './header-menu.tsx'
import { useOwnText } from './own-text.ts'
import { PaletteButton } from './palette-button.tsx'
import { roleIn, useSession } from './session.ts'
import { useText } from './text.tsx'
import './own-buttons.css'

const loadMessages = () => import('./message-menu.tsx').then(({ MessageMenu }) => MessageMenu)
const loadUser = () => import('./user-menu.tsx').then(({ UserMenu }) => UserMenu)

/** The palette, the messages and the menu of the person; the panels are fetched when they are opened. */
export function OwnButtons() {
  const { action } = useText().site
  const { account } = useOwnText()
  const session = useSession()
  const role = roleIn(session)
  const user = session.info?.user
  return (
    <>
      <PaletteButton />
      <HeaderMenu className="icon-button bell" label={`${action.messages} ${session.unread}`} load={loadMessages}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 16V11a6 6 0 1112 0v5l2 2H4zM10 21h4" />
        </svg>
        {session.unread > 0 && <span className="badge">{session.unread > 99 ? '99+' : session.unread}</span>}
      </HeaderMenu>
      <HeaderMenu className="avatar" label={`${account} ${role ? (user?.nickName ?? '') : ''}`.trim()} load={loadUser}>
        {role && user ? (
          [...user.nickName][0]
        ) : (
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 12a4 4 0 100-8 4 4 0 000 8zM4 21a8 8 0 0116 0" />
          </svg>
        )}
      </HeaderMenu>
    </>
  )
}
