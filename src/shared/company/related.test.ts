import { expect, test } from 'vitest'
import { comparable, relationsOf, type CompanyTraits } from './related.ts'

const traits = (changes: Partial<CompanyTraits> = {}): CompanyTraits => ({
  legalPerson: '张样本',
  phones: ['028-85001111'],
  cityId: 510_100,
  address: '武侯区试验路 1 号',
  ...changes,
})
const common = (one: CompanyTraits, other: CompanyTraits) => relationsOf(comparable(one), comparable(other), { hadSamePhone: false })
const stranger = traits({ legalPerson: '李样本', phones: ['13900001111'], address: '高新区另一路 2 号' })

test('companies with the same legal person, phone or address are related, however these are written', () => {
  expect(common(traits(), stranger)).toEqual([])
  expect(common(traits(), { ...stranger, legalPerson: ' 张 样本' })).toEqual(['legalPerson'])
  expect(common(traits(), { ...stranger, phones: ['13900001111', '02885001111'] })).toEqual(['phone'])
  expect(common(traits(), { ...stranger, address: '武侯区，试验路1号' })).toEqual(['address'])
  expect(common(traits(), traits())).toEqual(['legalPerson', 'phone', 'address'])
})

test('companies that had the same phone once are related by it', () => {
  expect(relationsOf(comparable(traits()), comparable(stranger), { hadSamePhone: true })).toEqual(['phone'])
})

test('blanks, and the same street in another city, are nothing in common', () => {
  const blank = traits({ legalPerson: '', phones: [''], address: ' ' })
  expect(common(blank, blank)).toEqual([])
  expect(common(traits(), { ...stranger, address: '武侯区试验路 1 号', cityId: 420_100 })).toEqual([])
})
