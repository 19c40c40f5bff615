import type { Answered, Call, Endpoint } from '#shared/endpoint.ts'

export type Answer<E extends Endpoint = Endpoint> = {
  http: number
  code: number
  msg: string
  data: Answered<E>
  raw: Record<string, unknown>
  bytes: Buffer
}

export type CallAs = <E extends Endpoint>(endpoint: E, input: Call<E> | Record<string, unknown>) => Promise<Answer<E>>
export type Person = { id: number; token: string | null; companyId: number; deptId: number; call: CallAs }
