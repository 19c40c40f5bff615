import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Every address of the site, by layout. */
export default [
  layout('public/layout.tsx', [
    index('public/home-page.tsx'),
    route('demand', 'public/demand-list-page.tsx'),
    route('demand/detail', 'public/demand-detail-page.tsx'),
    route('equipment', 'public/equipment-list-page.tsx'),
    route('equipment/detail', 'public/equipment-detail-page.tsx', { id: 'equipment-detail' }),
    route('supplier', 'public/supplier-list-page.tsx'),
    route('supplier/detail', 'public/supplier-detail-page.tsx'),
    route('supplier/equdetail', 'public/equipment-detail-page.tsx', { id: 'supplier-equipment-detail' }),
    route('notice', 'public/notice-list-page.tsx'),
    route('notice/detail', 'public/notice-detail-page.tsx'),
    route('aboutus', 'public/about-page.tsx'),
    route('contact', 'public/contact-page.tsx'),
    // The building blocks with all their states, for those who make pages: GALLERY=1 npm start, then /gallery.
    ...(process.env.GALLERY === '1' ? [route('gallery', 'public/gallery-page.tsx')] : []),
  ]),
  layout('public/login-layout.tsx', [route('login', 'public/login-page.tsx')]),
  layout('public/not-nav-layout.tsx', [route('agreement/:name', 'public/agreement-page.tsx')]),
  layout('personal/layout.tsx', [
    route('personal', 'personal/panel-page.tsx'),
    route('personal/aboutme', 'personal/messages-page.tsx'),
    route('personal/myinfo', 'personal/info-page.tsx'),
  ]),
  layout('workbench/layout.tsx', [
    route('workbench/requirement/list', 'workbench/demand-list-page.tsx'),
    route('workbench/requirement/add', 'workbench/demand-form-page.tsx', { id: 'demand-add' }),
    route('workbench/requirement/drafts', 'workbench/draft-list-page.tsx'),
    route('workbench/requirement/draftsadd', 'workbench/demand-form-page.tsx', { id: 'demand-draft-add' }),
    route('workbench/requirement/detail', 'workbench/demand-detail-page.tsx'),
    route('workbench/crequirement', 'workbench/market-list-page.tsx'),
    route('workbench/crequirement/detail', 'workbench/market-detail-page.tsx'),
    route('workbench/cequipment', 'workbench/equipment-list-page.tsx'),
  ]),
  layout('public/not-found-layout.tsx', [route('*', 'public/not-found-page.tsx')]),
] satisfies RouteConfig
