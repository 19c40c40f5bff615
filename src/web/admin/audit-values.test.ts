import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { actorLabel, fieldLabel, objectLabel, valueLines } from './audit-values.ts'

test('an entry of the audit log is read in words and local time, in both languages', () => {
  expect(valueLines(zhCn, 'demand', 'status', '3')).toEqual(['报价中'])
  expect(valueLines(en, 'demand', 'status', '3')).toEqual(['Open for quotes'])
  expect(valueLines(zhCn, 'company', 'status', '1')).toEqual(['已锁定'])
  expect(valueLines(zhCn, 'demand', 'openTime', '2026-11-22T16:30:00+00:00')).toEqual(['2026-11-23 00:30:00'])
  expect(valueLines(zhCn, 'account', 'duties', ['certification', 'people'])).toEqual(['认证审核、企业与账号'])
  expect(valueLines(en, 'account', 'isAdmin', true)).toEqual(['Yes'])
  expect(valueLines(zhCn, 'article', 'status', '0')).toEqual(['草稿'])
  expect(valueLines(zhCn, 'article', 'title', null)).toEqual(['—'])
  expect(valueLines(zhCn, 'certification', 'form', { enterpriseName: '甲公司', entityType: '1', mainCategories: [101, 203] })).toEqual([
    '企业名称：甲公司',
    '主体类型：企业',
    '主营设备：101、203',
  ])
  expect(valueLines(zhCn, 'priceCeiling', 'price_fen', 1_800_050)).toEqual(['18,000.50'])
  expect(valueLines(en, 'priceCeiling', 'fuel_by', 'lessee')).toEqual([en.demand.side.lessee])
  expect([fieldLabel(zhCn, 'dept_id'), fieldLabel(zhCn, 'creditCode'), fieldLabel(en, 'factory_no')]).toEqual([
    '单位',
    '统一社会信用代码',
    'Serial number',
  ])
})

test('the form and the documents of an approval are read line by line', () => {
  const passed = { form: { enterpriseName: '甲公司', cityId: 5101 }, documents: [{ type: 'license', fileId: 'a1', validTo: null }] }
  expect(valueLines(zhCn, 'certification', 'passedForm', passed)).toEqual([
    '资料：',
    '企业名称：甲公司',
    '城市：5101',
    '证照：类型：营业执照；文件：a1；有效期：—',
  ])
})

test('whom a broadcast reached is read in words, and so is a job that acted', () => {
  const audience = { everybody: false, roles: ['leaser'], provinceIds: [], companyIds: [] }
  expect(valueLines(zhCn, 'broadcast', 'audience', audience)).toEqual([
    '全部用户：否',
    '用户类型：出租方',
    '企业所在省份：—',
    '指定企业：—',
  ])
  expect(actorLabel(zhCn, 'contractRoots')).toBe('合同链夜间存证')
  expect(actorLabel(en, 'operator')).toBe('operator')
})

test('a day that is its own name is written once', () => {
  expect(objectLabel({ bizId: '2026-11-09', bizName: '2026-11-09' })).toEqual(['2026-11-09'])
  expect(objectLabel({ bizId: '7', bizName: '年检提醒' })).toEqual(['年检提醒', '7'])
})

test('each column of an object that a call creates has its word', () => {
  const created = [
    'id',
    'at',
    'dict_label_en',
    'updated_at',
    'failed_logins',
    'blacklist_code',
    'subject_kind',
    'proposer_id',
    'root',
    'count',
  ]
  expect(created.filter((column) => fieldLabel(zhCn, column) === column)).toEqual([])
  expect(created.filter((column) => fieldLabel(en, column) === column)).toEqual([])
})
