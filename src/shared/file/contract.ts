import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { yesNo, yesNoFlags } from '../rules.ts'

/** Recognised by signature, never by name. */
export const fileKinds = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'application/pdf': 'attachment',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'attachment',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'attachment',
  'application/zip': 'attachment',
} as const

export const uploadFile = {
  method: 'POST',
  url: '/file/upload',
  summary: 'Upload one file; access "owner" until it is attached',
  access: 'account',
  limit: 60,
  transaction: 'own',
  form: 'data',
  upload: true,
  answer: z.object({ fileId: z.string(), name: z.string(), url: z.string(), size: z.number(), mime: z.string() }),
} as const satisfies Endpoint

export const downloadFile = {
  method: 'GET',
  url: '/file/:id',
  summary: 'A file, for those who may see it; thumb=1 for the small picture',
  access: 'public',
  form: 'file',
  params: z.object({ id: z.uuid() }),
  query: z.object({ thumb: z.enum(yesNoFlags).default(yesNo.no) }),
  answer: z.null(),
} as const satisfies Endpoint
