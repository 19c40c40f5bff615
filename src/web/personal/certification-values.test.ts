import { expect, test } from 'vitest'
import { LeaseForm, submitRentout } from '#shared/certification/contract.ts'
import { provincesIn } from '#shared/region/areas.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { readForm } from '../app/form-values.ts'
import { lacksParent, nameOfDocument, openCertification, certificationInputOf, servedFrom, unlocked } from './certification-values.ts'

const fileId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const paper = { fileId, name: '执照.png', mime: 'image/png', validTo: '', status: '0', reason: '' } as const

test('an untouched form asks for its fields; what may be left out is null', () => {
  const sent = readForm(submitRentout.body, certificationInputOf(openCertification('rentout', undefined)))
  expect(sent).toMatchObject({ form: { regCapital: null, establishDate: null, licenseValidTo: null, entityType: '1', insured: false } })
  const found = fieldErrors(zhCn, submitRentout.body.safeParse(sent, { reportInput: true }).error?.issues ?? [])
  expect(found).toContainEqual({ field: 'form.scaleType', message: zhCn.rule.required })
  expect(found).toContainEqual({ field: 'form.fleetSize', message: zhCn.rule.required })
  expect(found.map(({ field }) => field)).not.toContain('form.establishDate')
})

test('what the server stored is sent back as it was', () => {
  const stored = { establishDate: null, licenseValidTo: null, regCapital: 500, creditCode: '91510107DEM000001' }
  const form = { ...openCertification('lease', undefined).form, ...stored }
  expect(readForm(LeaseForm, form)).toMatchObject(stored)
})

test('fields of a lessee that may be empty are sent empty', () => {
  const { form } = certificationInputOf(openCertification('lease', undefined))
  expect(readForm(LeaseForm, form)).toMatchObject({ groupName: '', invoiceAccount: '', invoicePhone: '' })
})

test('papers are sent as a list, and an error of one of them stands at its kind', () => {
  const values = { ...openCertification('rentout', undefined), documents: { legalIdBack: paper, license: paper } }
  expect(certificationInputOf(values).documents).toEqual([
    { kind: 'license', fileId, validTo: '' },
    { kind: 'legalIdBack', fileId, validTo: '' },
  ])
  expect(nameOfDocument('documents.1.validTo', values)).toBe('documents.legalIdBack')
  expect(nameOfDocument('documents.license', values)).toBe('documents.license')
})

test('an amount that is left empty is no amount, also where a client sends the empty text', () => {
  expect(LeaseForm.shape.regCapital.parse('')).toBeNull()
  expect(LeaseForm.shape.regCapital.parse('500')).toBe(500)
})

test('a new form has the phone of who fills it in, and no name, because nobody knows it before the certification', () => {
  expect(openCertification('rentout', undefined, '13900000001').form).toMatchObject({ contactName: '', contactPhone: '13900000001' })
  expect(openCertification('dept', undefined, '13900000001').form).toMatchObject({ applicantName: '' })
})

test('an area stands for its provinces', () => {
  expect(provincesIn('east', [110_000, 310_000, 330_000, 510_000])).toEqual([310_000, 330_000])
})

test('a lessor is presumed to serve the province where it sits, until it names others', () => {
  expect(servedFrom(510_000, { provinceId: null, serviceRegions: [] })).toEqual({ serviceRegions: [510_000] })
  expect(servedFrom(420_000, { provinceId: 510_000, serviceRegions: [510_000] })).toEqual({ serviceRegions: [420_000] })
  expect(servedFrom(420_000, { provinceId: 510_000, serviceRegions: [510_000, 500_000] })).toEqual({})
  expect(servedFrom(null, { provinceId: 510_000, serviceRegions: [510_000] })).toEqual({})
  expect(servedFrom(510_000, { provinceId: null })).toEqual({})
})

test('a project department is asked for the unit above it in the step of that unit, whether it is certified here or not', () => {
  const { form } = openCertification('dept', undefined)
  expect(lacksParent(form)).toBe(true)
  expect(lacksParent({ ...form, parentDeptId: 7 })).toBe(false)
  expect(lacksParent({ ...form, parentName: '华拓建设集团有限公司' })).toBe(false)
  expect(lacksParent(openCertification('lease', undefined).form)).toBe(false)
})

test('a paper that was accepted is open again where it has an error', () => {
  const accepted = { ...paper, status: '1' } as const
  const documents = { license: accepted, safetyPermit: accepted, legalIdBack: { ...paper, status: '2' } as const }
  const shown = unlocked(documents, ['documents.safetyPermit', 'documents.legalIdBack', 'form.licenseValidTo'])
  expect(Object.values(shown).map(({ status }) => status)).toEqual(['1', '0', '2'])
})
