import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { SignedIn } from './contract.ts'
import { FactorCode, FactorEnd, FactorStart, FactorTicket } from './input.ts'

export const getSecondFactor = {
  method: 'GET',
  url: '/auth/secondFactor',
  summary: 'Whether the account has a second factor, needs one, and how many recovery codes are left',
  access: 'account',
  setup: 'factor',
  form: 'data',
  answer: z.object({ isOn: z.boolean(), isRequired: z.boolean(), recoveryCodes: z.number() }),
} as const satisfies Endpoint

/** Neither this nor the next is a POST: the answer of a POST is stored for a day, and these hold secrets. */
export const startSecondFactor = {
  method: 'PUT',
  url: '/auth/secondFactor',
  summary: 'Makes a secret for an authenticator app; it holds once a first code has confirmed it',
  access: 'account',
  setup: 'factor',
  limit: 10,
  transaction: 'own',
  form: 'data',
  body: FactorStart,
  /** `qr`: a picture of `uri` as SVG. */
  answer: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
} as const satisfies Endpoint

export const confirmSecondFactor = {
  method: 'PUT',
  url: '/auth/secondFactor/confirm',
  summary: 'Switches the second factor on; gives the recovery codes, once. The other sessions end',
  access: 'account',
  setup: 'factor',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: FactorCode,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
} as const satisfies Endpoint

export const endSecondFactor = {
  method: 'PUT',
  url: '/auth/secondFactor/off',
  summary: 'Switches the second factor off, with the password and a code',
  access: 'account',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: FactorEnd,
  answer: z.null(),
} as const satisfies Endpoint

export const signInByFactor = {
  method: 'POST',
  url: '/auth/factorLogin',
  summary: 'The second step of signing in: the ticket of the first, and a code of the app or a recovery code',
  access: 'public',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: FactorTicket,
  answer: SignedIn,
} as const satisfies Endpoint
