import { expect, test } from 'vitest'
import { comparedParams, goneOf } from './compare-params.ts'

const param = (key: string, unit: string, label = key) => ({
  key,
  label,
  labelEn: label,
  unit,
  type: 'number' as const,
  main: key === 'ratedLoad',
})
const paramsOf = {
  106: [param('ratedLoad', 't', '额定载重量'), param('power', 'kW')],
  107: [param('ratedLoad', 'kg', '额定载荷'), param('power', 'kW'), param('width', 'mm')],
}

test('machines of the address that the server does not answer with have left the shelf, each once', () => {
  expect(goneOf('7,8,9,8', [{ id: 7 }])).toEqual([8, 9])
  expect(goneOf('7', [{ id: 7 }])).toEqual([])
})

test('each machine shows a parameter in the unit of its own category, and values in different units have no best', () => {
  const machines: Parameters<typeof comparedParams>[0] = [
    { categoryId: 106, specs: { ratedLoad: 5, power: 162, width: 3 } },
    { categoryId: 107, specs: { ratedLoad: 1050, power: 55 } },
  ]
  const lines = comparedParams(machines, paramsOf).map(({ param: { key, label }, values, ranks }) => [key, label, values, ranks])
  expect(lines).toEqual([
    ['ratedLoad', '额定载重量', ['5 t', '1,050 kg'], []],
    ['power', 'power', ['162 kW', '55 kW'], [162, 55]],
    ['width', 'width', ['', ''], [null, null]],
  ])
})
