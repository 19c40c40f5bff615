import type { z } from 'zod'
import type { Contract } from '#shared/contract/contract.ts'
import { createDirectContract, DirectLineInput, type DirectMachine } from '#shared/contract/direct.ts'
import { needsQuantity } from '#shared/demand/rules.ts'
import type { CallForm } from '../../app/call-form.ts'
import { openForm, type FormValue } from '../../app/form-values.ts'

type DirectBody = z.input<typeof createDirectContract.body>
type DirectLine = FormValue<z.input<typeof DirectLineInput>>

/** The form of a contract that a unit writes down itself. The lessor is held with its name, for the field that picks it. */
export type DirectForm = Omit<FormValue<DirectBody>, 'lessorCompanyId' | 'lines'> & {
  lessor: { value: number; label: string }[]
  lines: DirectLine[]
  /** Why an amendment adds the lines; blank in a contract of its own. */
  reason: string
}
export type DirectFormState = CallForm<DirectForm, DirectBody>

export type DirectProject = {
  deptId: number
  projectName: string
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
}

/** The line as it is sent, without what was typed for another rent unit: the form hides that. */
export const fitDirectLine = (line: DirectLine): DirectLine =>
  needsQuantity(line.rentUnit) ? { ...line, minRentDays: '' } : { ...line, estQuantity: '' }

/** The line with another machine of a category with these rent units. A price and a quantity were agreed for their unit: all of them stay, or none. */
export function withMachine(
  line: DirectLine,
  { id, isLot }: Pick<DirectMachine, 'id' | 'isLot'>,
  [rentUnit = 'M', ...others]: readonly DirectLine['rentUnit'][],
): DirectLine {
  const isAgreed = [line.unitPrice, line.estQuantity].some((typed) => typed.trim() !== '')
  const keeps = line.rentUnit === rentUnit || (isAgreed && others.includes(line.rentUnit))
  const rent = keeps ? {} : { rentUnit, estQuantity: '', unitPrice: '' }
  return { ...line, ...rent, equipmentId: id, qty: isLot ? line.qty : '1' }
}

/** Makes a line; `from` fills some of its fields, such as the days of the one before. */
export const newDirectLine = (from: Partial<DirectLine> = {}): DirectLine => ({ ...openForm(DirectLineInput, {}), ...from })

/** The fields that follow from the project. */
export const ofDirectProject = ({ deptId, provinceId, cityId, districtId, address }: DirectProject) => ({
  deptId,
  provinceId,
  cityId,
  districtId,
  address,
})

/** Makes a blank form with one line, for a project. */
export function newDirectForm(project: DirectProject): DirectForm {
  const { lessorCompanyId: _, lines: _lines, ...blank } = openForm(createDirectContract.body, {})
  return { ...blank, ...ofDirectProject(project), lessor: [], lines: [newDirectLine()], reason: '' }
}

/** The form of a contract like another one of the same kind. */
export const likeContract = (contract: Contract): DirectForm => ({
  ...openForm(createDirectContract.body, contract),
  lessor: [{ value: contract.lessor.companyId, label: contract.lessor.companyName }],
  lines: contract.lines.map((line) => openForm(DirectLineInput, line)),
  reason: '',
})

export const directInputOf = ({ lessor, reason: _, ...typed }: DirectForm) => ({ ...typed, lessorCompanyId: lessor[0]?.value ?? null })

export const nameInDirectForm = (path: string): string => path.replace(/^lessorCompanyId\b.*/, 'lessor')
