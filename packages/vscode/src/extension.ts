import path from 'node:path';
import {
  commands,
  type ExtensionContext,
  ShellExecution,
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

/** The bundled server, or the configured command in a trusted folder. */
function serverOptions({ extensionPath }: ExtensionContext): ServerOptions {
  const command = workspace.getConfiguration('fencewright').get<string>('path', '');
  if (command !== '' && workspace.isTrusted) return { command, args: ['lsp', '--stdio'] };
  const module = path.join(extensionPath, 'server', 'bin', 'fencewright.js');
  return { module, args: ['lsp'], transport: TransportKind.stdio };
}

function activeUri(): string | undefined {
  return window.activeTextEditor?.document.uri.toString();
}

/**
 * Shows the state of the text in front; returns a function that takes the server's statuses of
 * texts.
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

/** A task that checks the file in front with the command line. */
function registerTasks(context: ExtensionContext): void {
  const taskFor = (file: string): Task => {
    const definition = { type: 'fencewright', file };
    const command = new ShellExecution('fencewright', ['check', file]);
    return new Task(
      definition,
      TaskScope.Workspace,
      `check ${path.basename(file)}`,
      'fencewright',
      command,
      ['$fencewright'],
    );
  };
  context.subscriptions.push(
    tasks.registerTaskProvider('fencewright', {
      provideTasks: (): Task[] => {
        const document = window.activeTextEditor?.document;
        const isProgram = document && languages.includes(document.languageId);
        return isProgram ? [taskFor(document.uri.fsPath)] : [];
      },
      resolveTask: ({ definition }) => taskFor((definition as { file?: string }).file ?? ''),
    }),
  );
}

/** Starts the server, and adds features beyond the language server protocol. */
export async function activate(context: ExtensionContext): Promise<void> {
  const settings = workspace.getConfiguration('fencewright');
  // Clang reads whatever files a text in C names.
  const checksC = settings.get<boolean>('checkC', false) && workspace.isTrusted;
  const selected = checksC ? [...languages, 'c', 'cpp'] : languages;
  const client: LanguageClient = new LanguageClient(
    'fencewright',
    'Fencewright',
    serverOptions(context),
    {
      documentSelector: selected.map((language) => ({ language })),
      initializationOptions: {
        check: settings.get<string>('check'),
        timeout: settings.get<number>('timeout'),
        effort: settings.get<number | null>('effort'),
      },
      middleware: {
        // The editor shows pages next to the text, not in a browser.
        executeCommand: async (command, args, next) => {
          const [uri] = args as readonly string[];
          if (command === 'fencewright.explain') await pages.show('explain', uri);
          else if (command === 'fencewright.states') await pages.show('reach', uri);
          else await next(command, args);
        },
      },
    },
  );
  const pages = new Pages(context, client);
  const run = (command: string) => () => {
    const uri = activeUri();
    return client.sendRequest<unknown>('workspace/executeCommand', { command, arguments: [uri] });
  };
  const configured = workspace.onDidChangeConfiguration(() => {
    const check = workspace.getConfiguration('fencewright').get<string>('check');
    void client.sendNotification('workspace/didChangeConfiguration', {
      settings: { fencewright: { check } },
    });
  });
  const take = showStatus(context);
  registerTasks(context);
  context.subscriptions.push(
    client,
    configured,
    // A connection has only one handler for each kind of message.
    client.onNotification('fencewright/status', (status: ServerStatus) => {
      take(status);
      pages.follow(status);
    }),
    commands.registerCommand('fencewright.checkFile', run('fencewright.check')),
    commands.registerCommand('fencewright.fenceFile', run('fencewright.fence')),
    commands.registerCommand('fencewright.explainFile', () => pages.show('explain', activeUri())),
    commands.registerCommand('fencewright.showFinalStates', () => pages.show('reach', activeUri())),
  );
  await client.start();
}
