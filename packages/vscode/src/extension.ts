import path from 'node:path';
import {
  commands,
  type ExtensionContext,
  ProcessExecution,
  StatusBarAlignment,
  Task,
  TaskScope,
  tasks,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node.js';
import { Pages } from './pages.js';
import { type ServerStatus, statusWords } from './status-words.js';

const languages = ['fencewright', 'litmus', 'trencher', 'memorax'];
const compiled = ['c', 'cpp'];

/**
 * Returns the languages of the texts to check. C is included only in a trusted folder, since clang
 * reads all files named by a text in C.
 */
function checkedLanguages(): readonly string[] {
  const checksC = workspace.getConfiguration('fencewright').get<boolean>('checkC', false);
  return checksC && workspace.isTrusted ? [...languages, ...compiled] : languages;
}

/**
 * Returns the command set by the user; `undefined` if there is none, or if the folder is not
 * trusted.
 */
function configuredCommand(): string | undefined {
  const command = workspace.getConfiguration('fencewright').get<string>('path', '');
  return command !== '' && workspace.isTrusted ? command : undefined;
}

function bundledScript({ extensionPath }: ExtensionContext): string {
  return path.join(extensionPath, 'server', 'bin', 'fencewright.js');
}

/** Returns how to start the server: by the configured command, or by the bundled script. */
function serverOptions(context: ExtensionContext): ServerOptions {
  const command = configuredCommand();
  if (command !== undefined) return { command, args: ['lsp', '--stdio'] };
  return { module: bundledScript(context), args: ['lsp'], transport: TransportKind.stdio };
}

/**
 * Returns a process that runs the configured command, or the bundled script with the Node.js of the
 * editor.
 */
function execution(context: ExtensionContext, args: string[]): ProcessExecution {
  const command = configuredCommand();
  if (command !== undefined) return new ProcessExecution(command, args);
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return new ProcessExecution(process.execPath, [bundledScript(context), ...args], { env });
}

function activeUri(): string | undefined {
  return window.activeTextEditor?.document.uri.toString();
}

/**
 * Shows the status of the active text; returns a function that receives the server's status
 * messages.
 */
function showStatus(context: ExtensionContext): (status: ServerStatus) => void {
  const statuses = new Map<string, ServerStatus>();
  const item = window.createStatusBarItem(StatusBarAlignment.Left);
  item.command = 'fencewright.checkFile';
  const show = (): void => {
    const document = window.activeTextEditor?.document;
    const text = document && statusWords(statuses.get(document.uri.toString()), document.version);
    if (text === undefined) item.hide();
    else {
      item.text = text;
      item.show();
    }
  };
  context.subscriptions.push(
    item,
    window.onDidChangeActiveTextEditor(show),
    workspace.onDidChangeTextDocument(show),
  );
  return (status) => {
    statuses.set(status.uri, status);
    show();
  };
}

/** Registers a task that checks the active file with the command line. */
function registerTasks(context: ExtensionContext): void {
  const taskFor = (file: string): Task => {
    const definition = { type: 'fencewright', file };
    return new Task(
      definition,
      TaskScope.Workspace,
      `check ${path.basename(file)}`,
      'fencewright',
      execution(context, ['check', file]),
      ['$fencewright'],
    );
  };
  context.subscriptions.push(
    tasks.registerTaskProvider('fencewright', {
      provideTasks: (): Task[] => {
        const document = window.activeTextEditor?.document;
        const isProgram = document && checkedLanguages().includes(document.languageId);
        return isProgram ? [taskFor(document.uri.fsPath)] : [];
      },
      resolveTask: ({ definition }) => taskFor((definition as { file?: string }).file ?? ''),
    }),
  );
}

function createClient(
  context: ExtensionContext,
  pages: () => Pages,
  take: (status: ServerStatus) => void,
): LanguageClient {
  const settings = workspace.getConfiguration('fencewright');
  const client = new LanguageClient('fencewright', 'Fencewright', serverOptions(context), {
    documentSelector: checkedLanguages().map((language) => ({ language })),
    initializationOptions: {
      check: settings.get<string>('check'),
      timeout: settings.get<number>('timeout'),
      effort: settings.get<number | null>('effort'),
    },
    middleware: {
      // The editor shows pages next to the text, not in a browser.
      executeCommand: async (command, args, next) => {
        const [uri] = args as readonly string[];
        if (command === 'fencewright.explain') await pages().show('explain', uri);
        else if (command === 'fencewright.states') await pages().show('reach', uri);
        else await next(command, args);
      },
    },
  });
  // A connection has only one handler for each kind of message.
  client.onNotification('fencewright/status', (status: ServerStatus) => {
    take(status);
    pages().follow(status);
  });
  return client;
}

/** Tells the user why the active text is not checked; returns whether it is checked. */
async function isChecked(): Promise<boolean> {
  const language = window.activeTextEditor?.document.languageId;
  if (language !== undefined && checkedLanguages().includes(language)) return true;
  const isC = language !== undefined && compiled.includes(language);
  if (isC && workspace.isTrusted) {
    const yes = 'Check C Files';
    const said = 'Fencewright checks C and C++ files only if fencewright.checkC is set.';
    if ((await window.showInformationMessage(said, yes)) === yes)
      await workspace.getConfiguration('fencewright').update('checkC', true);
  } else {
    const why = isC ? 'this folder is not trusted' : 'the text in front is no program';
    await window.showInformationMessage(`Fencewright: ${why}.`);
  }
  return false;
}

/** Starts the server, and adds features beyond the language server protocol. */
export async function activate(context: ExtensionContext): Promise<void> {
  const take = showStatus(context);
  let client = createClient(context, () => pages, take);
  const pages = new Pages(context, () => client);
  let restarted = Promise.resolve();
  /** Stops the client and the server, and starts new ones with the present settings. */
  const restart = (): void => {
    restarted = restarted.then(async () => {
      await client.dispose();
      client = createClient(context, () => pages, take);
      await client.start();
    });
  };
  const command = (name: string, run: (uri: string) => Promise<unknown>) =>
    commands.registerCommand(name, async () => {
      const uri = activeUri();
      if ((await isChecked()) && uri !== undefined) await run(uri);
    });
  const ask = (name: string) => (uri: string) =>
    client.sendRequest('workspace/executeCommand', { command: name, arguments: [uri] });
  const configured = workspace.onDidChangeConfiguration((event) => {
    if (['checkC', 'path'].some((one) => event.affectsConfiguration(`fencewright.${one}`))) {
      restart();
      return;
    }
    const check = workspace.getConfiguration('fencewright').get<string>('check');
    void client.sendNotification('workspace/didChangeConfiguration', {
      settings: { fencewright: { check } },
    });
  });
  registerTasks(context);
  context.subscriptions.push(
    { dispose: () => client.dispose() },
    configured,
    workspace.onDidGrantWorkspaceTrust(restart),
    command('fencewright.checkFile', ask('fencewright.check')),
    command('fencewright.fenceFile', ask('fencewright.fence')),
    command('fencewright.explainFile', (uri) => pages.show('explain', uri)),
    command('fencewright.showFinalStates', (uri) => pages.show('reach', uri)),
  );
  await client.start();
}
