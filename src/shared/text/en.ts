import { account } from './en/account.ts'
import { admin } from './en/admin.ts'
import { audit } from './en/audit.ts'
import { blacklist } from './en/blacklist.ts'
import { certification } from './en/certification.ts'
import { contract } from './en/contract.ts'
import { demand } from './en/demand.ts'
import { equipment } from './en/equipment.ts'
import { ceiling, internal } from './en/internal.ts'
import { list } from './en/list.ts'
import { messages } from './en/messages.ts'
import { organization } from './en/organization.ts'
import { personal } from './en/personal.ts'
import { platform } from './en/platform.ts'
import { quote } from './en/quote.ts'
import { search } from './en/search.ts'
import { site } from './en/site.ts'
import { statistics } from './en/statistics.ts'
import { refusal, rule } from './en/system.ts'
import type { Text } from './zh-cn.ts'

export const en: Text = {
  locale: 'en-US',
  site,
  account,
  admin: { ...admin, ...platform, ...audit },
  blacklist,
  ceiling,
  certification,
  contract,
  personal,
  internal,
  list,
  organization,
  equipment,
  demand,
  quote,
  search,
  statistics,
  refusal,
  rule,
  messages,
}
