import type { FirstStep } from '../../account/first-steps.ts'

/** The words of what only people read who have signed in. Public pages do not fetch them. */
export const own = {
  account: '账号',
  paletteLabel: '快速跳转（Ctrl+K）',
  messages: { latest: '最新消息', nothing: '还没有消息' },
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  palette: {
    title: '快速跳转',
    placeholder: '页面、需求、合同、设备、企业、人员',
    keys: '↑ ↓ 选择，回车打开，Esc 关闭',
    nothing: '没有找到',
    partly: '部分结果没有加载成功，请改几个字再试',
    kinds: {
      page: '页面',
      demand: '我的需求',
      contract: '合同',
      ownMachine: '我的设备',
      person: '人员',
      company: '企业',
      machine: '设备',
      category: '类别',
      library: '需求库',
    },
  },
  firstSteps: {
    title: '快速上手',
    done: (n: number, of: number) => `已完成 ${n} / ${of}`,
    isDone: '已完成',
    steps: {
      certify: { title: '企业认证', hint: '上传营业执照等资料，通过后开通全部功能', action: '去认证' },
      machine: { title: '上传设备', hint: '型号、照片、证照和租金，也可用表格批量导入', action: '上传设备' },
      shelf: { title: '上架', hint: '审核通过后上架，设备才会出现在设备库', action: '去上架' },
      quote: { title: '报价', hint: '看看哪些需求适合您的设备', action: '去报价' },
      project: { title: '添加项目部', hint: '需求由项目部发布', action: '添加项目部' },
      person: { title: '添加人员', hint: '同事用手机号登录，初始密码由短信发出', action: '添加人员' },
      demand: { title: '发布需求', hint: '写清设备、租期和口径，截止前报价密封', action: '发布需求' },
      award: { title: '定标', hint: '开标后逐行比价，选定出租方', action: '看我的需求' },
    } satisfies Record<FirstStep, { title: string; hint: string; action: string }>,
  },
}

export type OwnText = typeof own
