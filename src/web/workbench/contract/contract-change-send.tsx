import { useState } from 'react'
import { smsRules } from '#shared/account/rules.ts'
import { ChangeInput, proposeContractChange } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import type { DirectMachine } from '#shared/contract/direct.ts'
import { sendSignCode } from '#shared/contract/moves.ts'
import { SmsCodeField, useSecondsTo } from '../../account/sms-fields.tsx'
import { ApiError, call, maySendAgain } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useFields } from '../../app/use-form.ts'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import type { ChangeInputBody } from './contract-change-form.ts'
import { shownOf } from './contract-change-shown.ts'
import { ChangeSummary } from './contract-change-summary.tsx'

type Sending = {
  contract: Contract
  input: ChangeInputBody
  /** Those that further positions are chosen from. */
  machines?: readonly DirectMachine[]
  onClose: () => void
  /** `waits`: for the unit above, which sends it. */
  onSent: (sent: { waits: boolean }) => Promise<void>
  /** Gets a refusal that is not of the code. */
  onRefused: (error: ApiError) => void
}

/** The whole amendment before it is sent. Another bank account needs a code to the own phone. */
export function SendChangeDialog({ contract, input, machines, onClose, onSent, onRefused }: Sending) {
  const text = useText()
  const words = useAmendmentWords()
  const params = { id: contract.id }
  const { terms } = input
  const needsCode = terms.kind === 'account'
  const [until, setUntil] = useState(0)
  const left = useSecondsTo(until)
  const form = useFields(proposeContractChange.body, { smsCode: '' })
  const requestCode = async () => {
    if (terms.kind !== 'account') return
    const { bankName, bankAccount } = terms
    try {
      await call(sendSignCode, { params, body: { purpose: 'account', bankName, bankAccount } })
      setUntil(Date.now() + smsRules.resendAfter * 1000)
      form.clear('smsCode')
      toast('success', text.personal.register.sent)
    } catch (error) {
      form.refused(error)
    }
  }
  const send = async () => {
    let sent: { waits: boolean }
    try {
      sent = await call(proposeContractChange, { params, body: needsCode ? { ...input, smsCode: form.values.smsCode } : input })
    } catch (error) {
      if (!(error instanceof ApiError) || maySendAgain(error) || error.fields.some(({ field }) => field === 'smsCode')) throw error
      onRefused(error)
      return
    }
    await onSent(sent)
  }
  return (
    <ConfirmDialog
      open
      wide
      onClose={onClose}
      title={words.summary}
      kind="info"
      action={words.send}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { ...input, ...(!needsCode && { smsCode: undefined }) })}
    >
      <p>
        <strong>{text.contract.changeKind[input.terms.kind]}</strong>
      </p>
      <ChangeSummary change={shownOf(contract, ChangeInput.parse(input), machines)} contract={contract} />
      <p className="small soft">{words.summaryHint}</p>
      {needsCode && (
        <>
          <p>
            {words.codeHint} <span className="num">{contract.phoneEnd}</span>
          </p>
          <SmsCodeField
            value={form.values.smsCode}
            onChange={form.set('smsCode')}
            error={form.errors.smsCode}
            left={left}
            onSend={() => void requestCode()}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
