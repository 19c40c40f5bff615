import { accountManageRoutes } from './account/manage-routes.ts'
import { accountRoutes } from './account/routes.ts'
import { articleRoutes } from './article/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { awardRoutes } from './award/routes.ts'
import { blacklistRoutes } from './blacklist/routes.ts'
import { broadcastRoutes } from './broadcast/routes.ts'
import { certificationRoutes } from './certification/routes.ts'
import { categoryRoutes } from './category/routes.ts'
import { companyRoutes } from './company/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { contractRoutes } from './contract/routes.ts'
import { demandRoutes } from './demand/routes.ts'
import { deptRoutes } from './dept/routes.ts'
import { equipmentRoutes } from './equipment/routes.ts'
import { favouriteRoutes } from './favourite/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { fileRoutes } from './file/routes.ts'
import { Api } from './api.ts'
import { ceilingRoutes } from './ceiling/routes.ts'
import { internalRoutes } from './internal/routes.ts'
import { messageRoutes } from './message/routes.ts'
import { openingRoutes } from './opening/routes.ts'
import { outboxRoutes } from './outbox/routes.ts'
import { personRoutes } from './person/routes.ts'
import { questionRoutes } from './question/routes.ts'
import { quoteRoutes } from './quote/routes.ts'
import { regionRoutes } from './region/routes.ts'
import { savedViewRoutes } from './saved-view/routes.ts'
import { searchRoutes } from './search/routes.ts'
import type { Services } from './services.ts'
import { settingRoutes } from './setting/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { systemRoutes } from './system/routes.ts'

/** Every call there is; listed by hand so that a URL leads to its code. */
export function buildApi(services: Services): Api {
  const api = new Api(services)
  accountRoutes(api)
  deptRoutes(api)
  personRoutes(api)
  certificationRoutes(api)
  feedbackRoutes(api)
  favouriteRoutes(api)
  savedViewRoutes(api)
  outboxRoutes(api)
  regionRoutes(api)
  categoryRoutes(api)
  companyRoutes(api)
  equipmentRoutes(api)
  demandRoutes(api)
  quoteRoutes(api)
  openingRoutes(api)
  questionRoutes(api)
  awardRoutes(api)
  contractRoutes(api)
  blacklistRoutes(api)
  internalRoutes(api)
  ceilingRoutes(api)
  messageRoutes(api)
  articleRoutes(api)
  contactRoutes(api)
  fileRoutes(api)
  statisticsRoutes(api)
  searchRoutes(api)
  accountManageRoutes(api)
  broadcastRoutes(api)
  settingRoutes(api)
  auditRoutes(api)
  systemRoutes(api)
  return api
}
