import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { smsRules } from '#shared/account/rules.ts'
import { getContractText } from '#shared/contract/contract.ts'
import { confirmContract, sendContract, sendSignCode } from '#shared/contract/moves.ts'
import { paths } from '#shared/paths.ts'
import { SmsCodeField, useSecondsTo } from '../../account/sms-fields.tsx'
import { ApiError, call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { money } from '../../app/format.ts'
import { UnloadedOptions } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useFields, type Errors, useNewAnswer } from '../../app/use-form.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts, type AboutContract } from './contract-calls.ts'
import { UnlawfulClauses } from './contract-notices.tsx'
import { TextHash } from './contract-parts.tsx'

const AccountPart = confirmContract.body.pick({ bankName: true, bankAccount: true })

/** What the code is to sign: the text, and of the lessor the account as well. */
const signedBy = (kind: Signing['kind'], textHash: string, account: Account) =>
  kind === 'send' ? { purpose: kind, textHash } : { purpose: kind, textHash, ...account }

/** The other side or a colleague was faster, or the text is another one, so the page shows what is so now. */
function refreshChanged(error: unknown): void {
  if (error instanceof ApiError && error.fields.length === 0) void refreshContracts()
}

type Signing = AboutContract & { kind: 'send' | 'confirm'; readHash: string | null | undefined; onRead: (textHash: string) => void }

/**
 * Sends or confirms the contract: the hash of the text, a code to the own phone and, for the lessor, the account that is paid. A text that is not the one
 * on the page as it was opened is read first.
 */
export function SignDialog({ contract, kind, readHash, onRead, onClose }: Signing) {
  const text = useText()
  const { pages, action } = text.contract
  const params = { id: contract.id }
  const [until, setUntil] = useState(0)
  const left = useSecondsTo(until)
  const found = useQuery({
    queryKey: [getContractText.url, contract.id, text.locale],
    queryFn: () => call(getContractText, { params, query: {} }),
    // Also where the language is changed and changed back meanwhile, which mounts nothing again.
    staleTime: 0,
  })
  const form = useFields(kind === 'send' ? sendContract.body : confirmContract.body, { smsCode: '' })
  // Beside the code, which is in no draft.
  const [account, setAccount, forgetAccount] = useDialogDraft(kind === 'confirm' ? `contract-confirm-${contract.id}` : null, {
    bankName: '',
    bankAccount: '',
  })
  /** The account that the last code was asked for: the code signs it and no other. */
  const [coded, setCoded] = useState<string | null>(null)
  const named = JSON.stringify(AccountPart.safeParse(account).data ?? null)
  const isForOther = coded !== null && coded !== named
  // A text that was read before may be another by now, and a code that is asked for it signs nothing.
  const newText = useNewAnswer(found, `${contract.id} ${text.locale}`)
  const textHash = newText?.textHash
  const isUnread = textHash !== undefined && readHash !== undefined && textHash !== readHash
  const isRead = textHash !== undefined && textHash === readHash
  const requestCode = async (hash: string) => {
    if (kind === 'confirm' && !form.checkPart(AccountPart, account)) return
    try {
      await call(sendSignCode, { params, body: signedBy(kind, hash, account) })
      setCoded(named)
      setUntil(Date.now() + smsRules.resendAfter * 1000)
      form.clear('smsCode')
      toast('success', text.personal.register.sent)
    } catch (error) {
      refreshChanged(error)
      form.refused(error)
    }
  }
  const sign = async () => {
    const { smsCode } = form.values
    try {
      if (kind === 'send') await call(sendContract, { params, body: { smsCode, textHash: textHash ?? '' } })
      else await call(confirmContract, { params, body: { smsCode, textHash: textHash ?? '', ...account } })
    } catch (error) {
      refreshChanged(error)
      throw error
    }
    forgetAccount()
    toast('success', kind === 'send' ? pages.sent : pages.confirmed)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={action[kind]}
      kind="info"
      action={action[kind]}
      busy={form.busy || !isRead || isForOther || contract.problems.length > 0}
      onConfirm={() => void form.submit(sign, { textHash, ...account })}
    >
      <UnlawfulClauses contract={contract} />
      {isUnread && (
        <p className="notice notice-warn" role="alert">
          {pages.textChanged}{' '}
          <Link
            to={paths.contract(contract.id, 'text')}
            preventScrollReset
            onClick={() => {
              onRead(textHash)
              onClose()
              // A colleague's change of a draft is no news, so the page is still that of the former text.
              void refreshContracts()
            }}
          >
            {pages.readAgain}
          </Link>
        </p>
      )}
      <UnloadedOptions queries={[{ ...found, data: newText }]} />
      <p>
        <strong>{contract.title}</strong>{' '}
        <span className="block small soft">
          <span className="num">{contract.contractCode}</span> ·{' '}
          {kind === 'send' ? contract.lessor.companyName : contract.lessee.companyName} · {text.contract.amount}{' '}
          <span className="num">{money(contract.amount, true)}</span> {text.site.common.yuan}
        </span>
      </p>
      {textHash !== undefined && <TextHash hash={textHash} />}
      <p className="small soft">{pages.record}</p>
      {kind === 'confirm' && (
        <AccountFields
          values={account}
          errors={form.errors}
          onChange={(change) => {
            setAccount({ ...account, ...change })
            for (const name of Object.keys(change)) form.clear(name)
          }}
        />
      )}
      <p>
        {kind === 'send' ? pages.sendAsk : pages.confirmAsk} <span className="num">{contract.phoneEnd}</span>
      </p>
      {/* The code is asked for the text that stands above and was read, so there is no code before it. */}
      {isRead && (
        <SmsCodeField
          value={form.values.smsCode}
          onChange={form.set('smsCode')}
          error={isForOther ? pages.codeForOther : form.errors.smsCode}
          left={left}
          onSend={() => void requestCode(textHash)}
        />
      )}
    </ConfirmDialog>
  )
}

type Account = { bankName: string; bankAccount: string }

/** The account that the rent is paid to. */
function AccountFields({ values, errors, onChange }: { values: Account; errors: Errors; onChange: (change: Partial<Account>) => void }) {
  const { pages } = useText().contract
  return (
    <>
      <TextField
        label={pages.bankName}
        required
        maxLength={100}
        value={values.bankName}
        onChange={(bankName) => onChange({ bankName })}
        error={errors.bankName}
      />
      <TextField
        label={pages.bankAccount}
        hint={pages.bankHint}
        required
        numeric
        inputMode="numeric"
        maxLength={40}
        value={values.bankAccount}
        onChange={(bankAccount) => onChange({ bankAccount })}
        error={errors.bankAccount}
      />
    </>
  )
}
