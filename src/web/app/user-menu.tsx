import { landingOf } from '#shared/account/landing.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { paths } from '#shared/paths.ts'
import { LanguageButton } from './language-button.tsx'
import { useOwnText } from './own-text.ts'
import { ProjectSwitch } from './project-switch.tsx'
import { roleIn, useSession } from './session.ts'
import { useLogout } from './sign-out.ts'
import { useText } from './text.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { Link } from '../ui/link.tsx'
import './header-panels.css'

/** Who has signed in, where they work, and what they set for themselves. */
export function UserMenu() {
  const text = useText()
  const session = useSession()
  const leave = useLogout()
  const { action } = text.site
  const { account } = useOwnText()
  const role = roleIn(session)
  if (!session.info) return null
  const { user } = session.info
  return (
    <div className="user-menu">
      <div className="user-menu-head">
        <strong>{user.nickName}</strong>
        {/* Before certification the display name may be the name of the site, which names nobody. */}
        {!role && <span className="small soft">{maskPhone(user.phonenumber) || user.userName}</span>}
        <span className="small soft">{role ? `${text.account.role[role]} · ${user.companyName || user.dept.name}` : user.dept.name}</span>
        {user.deptList.length > 1 ? (
          <ProjectSwitch />
        ) : (
          role && user.companyName && user.dept.name !== user.companyName && <span className="small soft">{user.dept.name}</span>
        )}
      </div>
      <nav aria-label={account}>
        <Link to={landingOf(role)}>{role ? text.account.personal.panel : text.certification.title}</Link>
        {role && landingOf(role) !== paths.personal && <Link to={paths.personal}>{text.site.action.personal}</Link>}
        <Link to={paths.myInfo}>{text.account.personal.info}</Link>
        <Link to={paths.safety}>{text.personal.safety.title}</Link>
      </nav>
      <div className="user-menu-settings">
        <ThemeChoice />
        <LanguageButton className="link" />
      </div>
      <button type="button" className="link user-menu-leave" onClick={leave}>
        {action.logout}
      </button>
    </div>
  )
}
